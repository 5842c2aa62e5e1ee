package dev.millrace.hub.readings;

import com.fasterxml.jackson.annotation.JsonFormat;

import org.jspecify.annotations.Nullable;

/**
 * One measured value with its name.
 *
 * @param device null for a reading that came by itself and named none
 * @param origin the time at the source, in whatever unit it uses
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
record Reading(
        String id,
        long pushed,
        long created,
        long origin,
        long modified,
        @Nullable String device,
        String name,
        @Nullable String value) {

    boolean hasDevice() {
        return device != null && !device.isEmpty();
    }

    /** Whom it lives with: its device; without one, itself. */
    String home() {
        return device != null && !device.isEmpty() ? device : id;
    }
}
