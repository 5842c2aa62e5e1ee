package dev.millrace.hub.pubsub.channels;

/**
 * The arithmetic of clocks. They count from {@link #MIN} to {@link #MAX}, the whole numbers that a
 * script of the server can tell apart, and after the last comes the first again. The scripts beside
 * {@link PubsubStore} do the same.
 */
public final class ClockRing {
    public static final long MAX = (1L << 53) - 1;
    public static final long MIN = -MAX;

    private ClockRing() {}

    public static long next(long clock) {
        return clock == MAX ? MIN : clock + 1;
    }

    /** How many steps lead from one to the other; 0 if they are the same. */
    public static long distance(long from, long to) {
        return to >= from ? to - from : (to - MIN) + (MAX - from) + 1;
    }

    /** Whether it lies behind {@code after} and not behind {@code upTo}. */
    public static boolean within(long clock, long after, long upTo) {
        return upTo >= after ? after < clock && clock <= upTo : after < clock || clock <= upTo;
    }

    static boolean contains(long clock) {
        return clock >= MIN && clock <= MAX;
    }
}
