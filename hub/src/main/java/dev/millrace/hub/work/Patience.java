package dev.millrace.hub.work;

import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tries again while Redis is away: what was sent must be written down, or it would be sent again.
 * Ends with the hub. Thread-safe.
 */
public final class Patience {
    private static final long BETWEEN_MILLIS = 200;

    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Does some work that may be done twice. */
    public <T> T of(Supplier<T> work) throws InterruptedException {
        while (true) {
            try {
                return work.get();
            } catch (RedisException e) {
                boolean passes = e.reason().passes() || e instanceof OutcomeUnknownException;
                if (!passes || stopped.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
            }
        }
    }

    public void stop() {
        stopped.countDown();
    }
}
