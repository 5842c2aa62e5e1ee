package dev.millrace.hub.telemetry.realtime;

import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Something that happened.
 *
 * @param id of what it happened to
 * @param traits by which clients choose what they want to hear; of each one value or several
 * @param data of the message
 * @param type what the message is called; empty if as all of its source
 */
public record Announcement(
        String id, Map<String, Set<String>> traits, ObjectNode data, Optional<String> type) {
    public Announcement {
        traits = Map.copyOf(traits);
    }

    /** Called as all of its source. */
    public Announcement(String id, Map<String, Set<String>> traits, ObjectNode data) {
        this(id, traits, data, Optional.empty());
    }
}
