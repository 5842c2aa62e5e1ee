package dev.millrace.hub.work;

import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tries again while Redis is away: what was sent must be written down, or it would be sent again.
 * Ends with the hub. Thread-safe.
 */
public final class Patience {
    private static final long BETWEEN_MILLIS = 200;

    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Does some work that may be done twice, again and again if that may help. */
    public <T> T of(Supplier<T> work) throws InterruptedException {
        return of(work, e -> e.reason().passes() || e instanceof OutcomeUnknownException);
    }

    /** The same, as long as something else holds. */
    public <T> T of(Supplier<T> work, Predicate<RedisException> worthIt)
            throws InterruptedException {
        while (true) {
            try {
                return work.get();
            } catch (RedisException e) {
                if (isEnough(e, worthIt)) {
                    throw e;
                }
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof RedisException cause) || isEnough(cause, worthIt)) {
                    throw e;
                }
            }
        }
    }

    private boolean isEnough(RedisException e, Predicate<RedisException> worthIt)
            throws InterruptedException {
        return !worthIt.test(e) || stopped.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
    }

    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    public void stop() {
        stopped.countDown();
    }
}
