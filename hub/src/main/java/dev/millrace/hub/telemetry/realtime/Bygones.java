package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Door;
import dev.millrace.hub.ems.RefusedException;

import tools.jackson.databind.node.ObjectNode;

/** Where live clients ask for values of the past. Thread-safe. */
public interface Bygones {
    /** Who may ask. */
    Door door();

    /**
     * What is known of one series, as the members of a JSON object; waits for Redis.
     *
     * @param question the series and what is wanted of it, by the names that HTTP has for that
     * @throws RefusedException if it cannot be answered
     */
    String answer(ObjectNode question);
}
