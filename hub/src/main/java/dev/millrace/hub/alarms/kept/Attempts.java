package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.work.BackOff;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A change of a rule or an alarm is tried until nobody was faster. What is cached of a home has one
 * number that every change of it raises, so those who change much at once are in each other's way
 * though they mean different rules. Those of this hub therefore come one after another, and the
 * values of that home wait for them; for those of other hubs there is a pause. For one thread.
 */
final class Attempts implements AutoCloseable {
    /** About three seconds. */
    private static final int MOST = 64;

    /** Nobody waits for somebody who waits for him for longer than this. */
    static final long LONGEST_WAIT_MILLIS = 1000;

    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofMillis(1), Duration.ofMillis(60)).spread(0.5, 0);

    private final Watchlists lists;
    private final String id;
    private int made;
    private @Nullable ReentrantLock held;

    /**
     * Attempts at a change.
     *
     * @param id of the rule or alarm
     */
    Attempts(Watchlists lists, String id) {
        this.lists = lists;
        this.id = id;
    }

    /** Whether to try once more; pauses before it. */
    boolean next() {
        if (made > 0 && made < MOST) {
            LockSupport.parkNanos(BACK_OFF.after(made - 1).toNanos());
        }
        return made++ < MOST;
    }

    /** Whether this is not the first. */
    boolean again() {
        return made > 1;
    }

    /** Nobody else of this hub changes anything of this home from now on. */
    void aloneAt(String home) {
        ReentrantLock wanted = lists.changing(home);
        if (wanted.equals(held)) {
            return;
        }
        close();
        try {
            if (wanted.tryLock(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                held = wanted;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How it has failed; that others were faster again and again passes. */
    RedisException failure(Outcome<?> last) {
        if (!AlarmChanges.isOvertaken(last)) {
            try {
                last.orThrow();
            } catch (RedisException e) {
                return e;
            }
        }
        return new RedisException(
                Reason.UNAVAILABLE, id + " is being changed by others all the time; try again.");
    }

    @Override
    public void close() {
        ReentrantLock lock = held;
        if (lock != null) {
            held = null;
            lock.unlock();
        }
    }
}
