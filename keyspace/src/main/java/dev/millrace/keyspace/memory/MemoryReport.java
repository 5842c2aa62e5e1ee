package dev.millrace.keyspace.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which layout takes how much memory, and how fast it grows.
 *
 * @param at when it was measured
 * @param parts what is declared and has keys, in the catalogue's order; at the end, with an empty
 *     name, what nobody declares
 * @param used what the servers say they use, in bytes
 * @param max what they may use; 0 if nothing limits one of them
 * @param before the measurement that this one is compared with
 */
public record MemoryReport(
        Instant at, List<Part> parts, long used, long max, Optional<Earlier> before) {

    public MemoryReport {
        parts = List.copyOf(parts);
    }

    /**
     * The keys of one declaration; bytes are estimates.
     *
     * @param values of its values, or of the keys of a cell
     * @param indexes of its indexes
     */
    public record Part(String name, long keys, long values, long indexes) {
        public long bytes() {
            return values + indexes;
        }
    }

    /**
     * An earlier measurement.
     *
     * @param bytes of each declaration, by name
     */
    public record Earlier(Instant at, long used, Map<String, Long> bytes) {
        public Earlier {
            bytes = Map.copyOf(bytes);
        }
    }

    /** The estimate of everything. */
    public long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }

    /** Bytes a day that a part has grown by; empty without an earlier measurement. */
    public OptionalLong growth(Part part) {
        return perDay(part.bytes(), before.map(each -> each.bytes.getOrDefault(part.name, 0L)));
    }

    /** Bytes a day that the servers use more; empty without an earlier measurement. */
    public OptionalLong growth() {
        return perDay(used, before.map(Earlier::used));
    }

    private OptionalLong perDay(long now, Optional<Long> then) {
        if (before.isEmpty() || then.isEmpty()) {
            return OptionalLong.empty();
        }
        double days =
                (double) Duration.between(before.get().at, at).toMillis()
                        / Duration.ofDays(1).toMillis();
        return OptionalLong.of(Math.round((now - then.get()) / days));
    }

    /** In how many days the memory is full if it goes on like this; empty if it does not. */
    public OptionalLong daysLeft() {
        OptionalLong growth = growth();
        return max == 0 || growth.isEmpty() || growth.getAsLong() <= 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, max - used) / growth.getAsLong());
    }
}
