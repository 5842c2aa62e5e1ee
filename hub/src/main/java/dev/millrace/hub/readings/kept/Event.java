package dev.millrace.hub.readings.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a device sent at one moment, without its readings, which are stored beside it. The names of
 * its members are those that the reference stores, all of them always; they are read in any case.
 * What is missing in a value that somebody else wrote is empty here.
 *
 * @param checksum of the encoded event; empty unless it came in binary form
 * @param pushed when it was exported, in ms; 0 for not yet
 * @param modified in ms; 0 until the first change
 * @param origin the time at the source, in whatever unit it uses
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
public record Event(
        @JsonProperty("ID") String id,
        @JsonProperty("Checksum") String checksum,
        @JsonProperty("Pushed") long pushed,
        @JsonProperty("Device") String device,
        @JsonProperty("Created") long created,
        @JsonProperty("Modified") long modified,
        @JsonProperty("Origin") long origin,
        @JsonProperty("Tags") @JsonInclude(JsonInclude.Include.NON_EMPTY)
                Map<String, String> tags) {

    public Event(
            @Nullable String id,
            @Nullable String checksum,
            long pushed,
            @Nullable String device,
            long created,
            long modified,
            long origin,
            @Nullable Map<String, String> tags) {
        this.id = id == null ? "" : id;
        this.checksum = checksum == null ? "" : checksum;
        this.pushed = pushed;
        this.device = device == null ? "" : device;
        this.created = created;
        this.modified = modified;
        this.origin = origin;
        this.tags =
                tags == null || tags.isEmpty()
                        ? Map.of()
                        : Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    }

    boolean isPushed() {
        return pushed != 0;
    }

    boolean hasDevice() {
        return !device.isEmpty();
    }

    /** Whom it lives with: its device. Without one, which only others have written, itself. */
    String home() {
        return device.isEmpty() ? id : device;
    }

    /** The same event as it is stored for the first time. */
    public Event stored(String newId, long newCreated) {
        return new Event(newId, checksum, pushed, device, newCreated, modified, origin, tags);
    }

    /** Exported at this time. The checksum has done its work and is forgotten. */
    public Event pushedAt(long time) {
        return new Event(id, "", time, device, created, time, origin, tags);
    }

    /** What a client changes of it: whatever of the other one is not empty. */
    public Event changedBy(Event change, long time) {
        return new Event(
                id,
                "",
                change.pushed == 0 ? pushed : change.pushed,
                change.device.isEmpty() ? device : change.device,
                created,
                time,
                change.origin == 0 ? origin : change.origin,
                change.tags.isEmpty() ? tags : change.tags);
    }

    public Event withChecksum(String newChecksum) {
        return new Event(id, newChecksum, pushed, device, created, modified, origin, tags);
    }
}
