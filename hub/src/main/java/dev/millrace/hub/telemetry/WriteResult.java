package dev.millrace.hub.telemetry;

import dev.millrace.keyspace.redis.outcome.Outcome;

import java.util.List;

/** What became of a write of values. */
sealed interface WriteResult {
    /**
     * Stored, with all that it leads to.
     *
     * @param triggered ids of alarm rules that went off
     * @param cleared ids of alarm rules whose alarm has ended
     */
    record Done(List<String> triggered, List<String> cleared) implements WriteResult {}

    /** Not stored, or nobody knows: the outcome of its last commit. */
    record Failed(Outcome<Long> outcome) implements WriteResult {}
}
