package dev.millrace.hub.site;

import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Reads, decides and writes until nobody comes in between. All changes of configuration share one
 * number, so two at once are in each other's way, and wait a moment by chance.
 */
final class Attempts {
    private static final int MOST = 64;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    private Attempts() {}

    /**
     * One try.
     *
     * @param result what it comes to if it was stored
     */
    record Try<T>(Outcome<?> outcome, T result) {}

    /** There is nothing to be written. */
    static <T> Try<T> ended(T result) {
        return new Try<>(Outcome.done(0L), result);
    }

    static <T> T until(Supplier<Try<T>> change) {
        Try<T> last = change.get();
        for (int i = 1; i < MOST && overtaken(last.outcome); i++) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            last = change.get();
        }
        if (overtaken(last.outcome)) {
            throw new RedisException(
                    Reason.UNAVAILABLE, "Others change the configuration at once; try again.");
        }
        last.outcome.orThrow();
        return last.result;
    }

    private static boolean overtaken(Outcome<?> outcome) {
        return outcome.failedBy(Reason.CONFLICT)
                || outcome.failedBy(Reason.DUPLICATE)
                || outcome.failedBy(Reason.ABSENT);
    }
}
