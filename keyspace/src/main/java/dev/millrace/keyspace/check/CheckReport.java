package dev.millrace.keyspace.check;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a check saw.
 *
 * @param end how it ended
 * @param values values that were compared with their index entries
 * @param entries index entries that were compared with their values
 * @param unknown keys that no declaration claims
 * @param unknownExamples some of them
 * @param found how often each kind of drift was found
 * @param repaired how much of it was repaired
 * @param findings the first ones in full
 */
public record CheckReport(
        End end,
        long values,
        long entries,
        long unknown,
        List<String> unknownExamples,
        Map<Finding.Kind, Long> found,
        long repaired,
        List<Finding> findings) {

    /** How a check ended. */
    public enum End {
        /** Everything was looked at. */
        FINISHED,
        /** Somebody wanted it to stop; the next one begins anew. */
        STOPPED
    }

    public CheckReport {
        unknownExamples = List.copyOf(unknownExamples);
        found = found.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(found));
        findings = List.copyOf(findings);
    }

    public long drift() {
        return found.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What is still wrong. */
    public long left() {
        return drift() - repaired;
    }
}
