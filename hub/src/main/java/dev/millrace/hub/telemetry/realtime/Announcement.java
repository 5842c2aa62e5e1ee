package dev.millrace.hub.telemetry.realtime;

import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;

/**
 * Something that happened.
 *
 * @param id of what it happened to
 * @param traits by which clients choose what they want to hear; of each one value or several
 * @param data of the message
 */
public record Announcement(String id, Map<String, Set<String>> traits, ObjectNode data) {
    public Announcement {
        traits = Map.copyOf(traits);
    }
}
