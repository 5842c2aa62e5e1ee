package dev.millrace.keyspace.redis.walk;

import java.util.concurrent.TimeUnit;

/**
 * How much of its time a walk over the database works; the rest of it is the writers'. After every
 * step the walk rests in proportion to what the step took, so a server that is busy and answers
 * slowly is asked less often by itself. The steps are small: what a writer may meet is one of them,
 * not the walk.
 *
 * @param percent of the time that is worked, 1 to 100
 */
public record Pace(int percent) {
    /** Half of the time; {@code bench fsck} shows what writers notice of it. */
    public static final Pace GENTLE = new Pace(50);

    /** Without rests, for a time when nobody writes. */
    public static final Pace FULL = new Pace(100);

    /** One answer that took long (a stalled disk) does not stop the walk for minutes. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    public Pace {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("A pace is 1 to 100 percent, not " + percent + ".");
        }
    }

    /** How many nanoseconds to rest after a step that took so many. */
    public long restAfter(long workedNanos) {
        return Math.min(workedNanos * (100 - percent) / percent, LONGEST_NANOS);
    }

    public void rest(Ticks ticks, long workedNanos) {
        long rest = restAfter(workedNanos);
        if (rest > 0) {
            ticks.sleep(rest);
        }
    }
}
