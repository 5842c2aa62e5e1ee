package dev.millrace.hub.work;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How much of what grows is kept. Each limit counts by itself; whichever is reached first decides.
 *
 * @param age how old a thing may become; empty for any age
 * @param count how many there may be; {@link #NONE} for any number
 * @param bytes how much memory they may take, by estimate; empty to decide by what Redis may use
 */
public record Keep(Optional<Duration> age, long count, Optional<Long> bytes) {
    /** No limit. */
    public static final long NONE = Long.MAX_VALUE;

    private static final String OFF = "off";
    private static final long MOST = 1_000_000_000_000L;
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Where Redis itself has no limit: what a gateway with 4 GB can spare. */
    private static final long WITHOUT_LIMIT = 2L << 30;

    /**
     * The three settings of one room.
     *
     * @param age {@code <room>.keep-age}
     * @param count {@code <room>.keep-count}
     * @param bytes {@code <room>.keep-bytes}
     */
    public record Settings(
            Key<Optional<Duration>> age, Key<Long> count, Key<Optional<Long>> bytes) {

        public List<Key<?>> keys() {
            return List.of(age, count, bytes);
        }

        public Keep read(Values values) {
            return new Keep(values.get(age), values.get(count), values.get(bytes));
        }
    }

    /**
     * Settings for a room.
     *
     * @param things what they are about, in words
     * @param count how many are kept if nobody says anything
     */
    public static Settings settings(String room, String things, long count) {
        return new Settings(
                Key.optional(
                        room + ".keep-age",
                        Kind.time(SHORTEST),
                        "any age",
                        "how old %s may become, by the time they were created, before they are"
                                        .formatted(things)
                                + " removed"),
                Key.of(
                        room + ".keep-count",
                        Kind.one(Keep::count),
                        Long.toString(count),
                        "how many %s are kept, the newest ones; off for any number"
                                .formatted(things)),
                Key.optional(
                        room + ".keep-bytes",
                        Kind.one(Keep::bytes),
                        "half of the maxmemory of Redis; 2GB where it has none",
                        "how much memory %s may take with their indexes, by estimate; off for"
                                        .formatted(things)
                                + " any size"));
    }

    private static long count(String text) {
        if (text.equals(OFF)) {
            return NONE;
        }
        if (text.matches("[0-9]{1,13}")) {
            long count = Long.parseLong(text);
            if (count >= 1 && count <= MOST) {
                return count;
            }
        }
        throw new IllegalArgumentException(
                "'%s' is no number of things to keep; write 1 to %d, or off."
                        .formatted(text, MOST));
    }

    private static long bytes(String text) {
        return text.equals(OFF) ? NONE : Math.max(1, Bytes.of(text).count());
    }

    /** The limit in bytes for servers that may use so much; 0 for any amount. */
    public long bytes(long memoryLimit) {
        return bytes.orElse(memoryLimit == 0 ? WITHOUT_LIMIT : memoryLimit / 2);
    }

    /**
     * What there is of some things.
     *
     * @param bytes an estimate
     */
    public record Holdings(long count, long bytes) {}

    /**
     * What has to go.
     *
     * @param surplus so many of the oldest
     * @param olderThan and everything that was created before this, in ms
     */
    public record Cut(long surplus, long olderThan) {
        static final Cut NOTHING = new Cut(0, Long.MIN_VALUE);

        public boolean nothing() {
            return surplus == 0 && olderThan == Long.MIN_VALUE;
        }
    }

    /**
     * Decides.
     *
     * @param memoryLimit of the servers; 0 if there is none
     * @param now in ms
     */
    public Cut cut(Holdings held, long memoryLimit, long now) {
        long tooMany = Math.max(0, held.count - count);
        long tooLarge = Math.max(0, held.bytes - bytes(memoryLimit));
        if (tooLarge > 0 && held.count > 0) {
            // Things are taken to be of one size, which in the end they are on average.
            double each = (double) held.bytes / held.count;
            tooMany = Math.max(tooMany, (long) Math.ceil(tooLarge / each));
        }
        long olderThan = age.map(time -> now - time.toMillis()).orElse(Long.MIN_VALUE);
        return new Cut(Math.min(tooMany, held.count), olderThan);
    }
}
