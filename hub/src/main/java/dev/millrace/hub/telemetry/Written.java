package dev.millrace.hub.telemetry;

import dev.millrace.hub.why.Origin;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Values of one source, about to be stored together.
 *
 * @param source a key, such as {@code comsrv:1:T}
 * @param at when they were measured
 * @param initial whether they are only looked at, because something else has changed: a rule, or
 *     the hub has just started
 * @param stored whether this commit stores them; if not, somebody else has, and the commit only
 *     checks that they are still there
 * @param origin where they come from, for the records of what they lead to; only who asks for it
 *     makes the write tell it
 */
public record Written(
        String source,
        int channel,
        List<Value> values,
        Instant at,
        boolean initial,
        boolean stored,
        Supplier<Origin> origin) {}
