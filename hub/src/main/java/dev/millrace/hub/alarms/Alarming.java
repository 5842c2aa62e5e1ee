package dev.millrace.hub.alarms;

import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.feed.Topic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Alarms that other rooms raise. To do the same again changes nothing. Thread-safe. */
public interface Alarming {
    /** The feed of what happens to alarms. */
    Topic events();

    /**
     * What has happened to alarms, as far as it is known, the oldest first.
     *
     * @param from in ms, included
     * @param to excluded
     */
    List<Happened> between(long from, long to);

    /**
     * Something that happened to the alarm of a rule.
     *
     * @param at the last millisecond of its second
     */
    record Happened(String ruleId, String type, String value, long at) {}

    /** What another room counts is answered along with the figures of alarms. */
    void countsToo(Supplier<Map<String, Object>> figures);

    /**
     * Raises an alarm that has no rule.
     *
     * @param id of the alarm
     * @param by who does it
     * @param origin what has led to it
     * @return why it was not done; empty if it was, or was active already
     */
    Optional<String> raise(
            String id, String level, String title, String description, String by, Origin origin);

    /** Clears it; nothing if it is not active. */
    Optional<String> clear(String id, String by);
}
