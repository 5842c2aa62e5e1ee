package dev.millrace.hub.readings.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

/**
 * One measured value with its name, as it is stored and as clients see it: what is empty is left
 * away. What is missing in a value that somebody else wrote is empty here.
 *
 * @param device empty for a reading that came by itself and named none
 * @param origin the time at the source, in whatever unit it uses
 * @param value always text, also for numbers
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Reading(
        String id,
        long pushed,
        long created,
        long origin,
        long modified,
        String device,
        String name,
        String value,
        String valueType,
        String floatEncoding,
        String mediaType) {

    public Reading(
            @Nullable String id,
            long pushed,
            long created,
            long origin,
            long modified,
            @Nullable String device,
            @Nullable String name,
            @Nullable String value,
            @Nullable String valueType,
            @Nullable String floatEncoding,
            @Nullable String mediaType) {
        this.id = id == null ? "" : id;
        this.pushed = pushed;
        this.created = created;
        this.origin = origin;
        this.modified = modified;
        this.device = device == null ? "" : device;
        this.name = name == null ? "" : name;
        this.value = value == null ? "" : value;
        this.valueType = valueType == null ? "" : valueType;
        this.floatEncoding = floatEncoding == null ? "" : floatEncoding;
        this.mediaType = mediaType == null ? "" : mediaType;
    }

    public boolean hasDevice() {
        return !device.isEmpty();
    }

    /** Whom it lives with: its device; without one, itself. */
    public String home() {
        return device.isEmpty() ? id : device;
    }

    /** The same reading as it is stored for the first time. */
    public Reading stored(String newId, long newCreated, String newDevice) {
        return new Reading(
                newId,
                pushed,
                newCreated,
                origin,
                modified,
                newDevice,
                name,
                value,
                valueType,
                floatEncoding,
                mediaType);
    }

    public Reading withDevice(String newDevice) {
        return stored(id, created, newDevice);
    }

    /** What a client changes of it: whatever of the other one is not empty. */
    public Reading changedBy(Reading change, long time) {
        return new Reading(
                id,
                change.pushed == 0 ? pushed : change.pushed,
                change.created == 0 ? created : change.created,
                change.origin == 0 ? origin : change.origin,
                time,
                change.device.isEmpty() ? device : change.device,
                change.name.isEmpty() ? name : change.name,
                change.value.isEmpty() ? value : change.value,
                change.valueType.isEmpty() ? valueType : change.valueType,
                change.floatEncoding.isEmpty() ? floatEncoding : change.floatEncoding,
                change.mediaType.isEmpty() ? mediaType : change.mediaType);
    }
}
