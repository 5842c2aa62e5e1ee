package dev.millrace.hub.readings;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * What a device sent at one moment, without its readings, which are stored beside it. The names of
 * its members are those that the reference stores; they are read in any case.
 *
 * @param checksum of the encoded event; empty unless it came in binary form
 * @param pushed when it was exported, in ms; 0 for not yet
 * @param origin the time at the source, in whatever unit it uses
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
record Event(
        @JsonProperty("ID") String id,
        @JsonProperty("Checksum") @Nullable String checksum,
        @JsonProperty("Pushed") long pushed,
        @JsonProperty("Device") String device,
        @JsonProperty("Created") long created,
        @JsonProperty("Modified") long modified,
        @JsonProperty("Origin") long origin) {

    boolean isPushed() {
        return pushed != 0;
    }
}
