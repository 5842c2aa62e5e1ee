package dev.millrace.keyspace.feed;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;

import java.time.Duration;
import java.util.List;

/**
 * What a feed is called and how much of it is kept.
 *
 * @param keepAge older facts are dropped
 * @param keepBytes of the newest facts in each shard; more is dropped, oldest first
 * @param hardCap in each shard; up to here facts wait for a registered reader that has not read
 *     them, beyond it the reader's {@link Behind policy} says what happens. With {@code GAP} the
 *     feed may be larger for a moment, by what is written until the oldest facts are dropped.
 */
public record Topic(String name, Duration keepAge, long keepBytes, long hardCap) {
    private static final Cell STREAM =
            Cell.of(KeyType.STREAM, "millrace:feed:{topic:name}")
                    .bookkeeping()
                    .about("Facts of one topic.");
    private static final Cell STATE =
            Cell.of(KeyType.HASH, "millrace:feed-state:{topic:name}")
                    .bookkeeping()
                    .about("The last number and the size of a feed.");
    private static final Cell READERS =
            Cell.of(KeyType.HASH, "millrace:feed-readers:{topic:name}")
                    .bookkeeping()
                    .about("Durable readers of a feed with their cursors.");
    private static final Cell GAPS =
            Cell.of(KeyType.HASH, "millrace:feed-gaps:{topic:name}")
                    .bookkeeping()
                    .about("Facts that a durable reader lost.");
    static final List<Cell> KEYS = List.of(STREAM, STATE, READERS, GAPS);

    public Topic {
        if (keepBytes < 1 || hardCap < keepBytes) {
            throw new IllegalArgumentException(
                    "The hard cap of %s must be at least the bytes it keeps.".formatted(name));
        }
        STREAM.pattern().key(name);
    }

    /** A day and 64 MiB a shard; a reader may be behind by 256 MiB. */
    public static Topic named(String name) {
        return new Topic(name, Duration.ofDays(1), 64L << 20, 256L << 20);
    }

    public Topic keeping(Duration age, long bytes, long cap) {
        return new Topic(name, age, bytes, cap);
    }

    /** What happens when a registered reader is behind by more than the hard cap. */
    public enum Behind {
        /** It loses facts, is told so, and sends the present state again. */
        GAP,
        /** Commits with facts for this feed are refused until it has caught up. */
        REFUSE;

        String word() {
            return this == GAP ? "gap" : "refuse";
        }

        static Behind of(String word) {
            return word.equals("refuse") ? REFUSE : GAP;
        }
    }

    String stream() {
        return STREAM.pattern().key(name);
    }

    String state() {
        return STATE.pattern().key(name);
    }

    String readers() {
        return READERS.pattern().key(name);
    }

    String gaps() {
        return GAPS.pattern().key(name);
    }
}
