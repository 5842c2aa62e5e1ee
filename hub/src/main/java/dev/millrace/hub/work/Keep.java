package dev.millrace.hub.work;

import dev.millrace.hub.settings.Bytes;

import java.time.Duration;
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

    /** Where Redis itself has no limit: what a gateway with 4 GB can spare. */
    private static final long WITHOUT_LIMIT = 2L << 30;

    /** A limit of number as a setting: a number, or off. */
    public record Count(long most) {
        public static Count of(String text) {
            if (text.equals(OFF)) {
                return new Count(NONE);
            }
            if (text.matches("[0-9]{1,13}")) {
                long count = Long.parseLong(text);
                if (count >= 1 && count <= MOST) {
                    return new Count(count);
                }
            }
            throw new IllegalArgumentException(
                    "'%s' is not a number of things to keep; write 1 to %d, or off."
                            .formatted(text, MOST));
        }
    }

    /** A limit of memory as a setting: a size, or off. */
    public record Size(long most) {
        public static Size of(String text) {
            return new Size(text.equals(OFF) ? NONE : Math.max(1, Bytes.of(text).count()));
        }
    }

    /** What the settings of a room say. */
    public static Keep of(Optional<Duration> age, Count count, Optional<Size> bytes) {
        return new Keep(age, count.most, bytes.map(Size::most));
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
