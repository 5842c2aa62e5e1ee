package dev.millrace.hub.ops;

import dev.millrace.keyspace.backup.BackupException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Work in the background that may take minutes, one at a time: begun, looked at, stopped. What it
 * gave the last time is kept until the next. Thread-safe.
 *
 * @param <R> what it gives
 */
final class Chore<R> implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Logger log = LoggerFactory.getLogger(Chore.class);

    private final String name;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean stop;
    private boolean closed;
    private @Nullable Thread worker;
    private Status<R> status =
            new Status<>(false, Optional.empty(), Optional.empty(), Optional.empty());

    Chore(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
    }

    /**
     * How it is.
     *
     * @param since when it began, if it runs
     * @param last what it gave the last time it came to an end
     * @param failure why it gave nothing the last time
     */
    record Status<R>(
            boolean running, Optional<Instant> since, Optional<R> last, Optional<String> failure) {}

    Status<R> status() {
        lock.lock();
        try {
            return status;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins, unless it runs already.
     *
     * @param work is told whether to stop, and looks often
     */
    boolean start(Function<BooleanSupplier, R> work) {
        lock.lock();
        try {
            if (status.running || closed) {
                return false;
            }
            stop = false;
            status =
                    new Status<>(true, Optional.of(clock.instant()), status.last, Optional.empty());
            worker = Thread.ofVirtual().name(name).start(() -> run(work));
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void run(Function<BooleanSupplier, R> work) {
        Optional<R> result = Optional.empty();
        Optional<String> failure = Optional.empty();
        try {
            result = Optional.of(work.apply(() -> stop));
        } catch (StoppedException e) {
            failure = Optional.of("It was stopped before its end.");
        } catch (RedisException | BackupException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Not its message, which may be about the inside of some library.
            failure = Optional.of("It failed; the log has more.");
            log.error("Work in the background failed. name={}", name, e);
        }
        lock.lock();
        try {
            status = new Status<>(false, Optional.empty(), result.or(() -> status.last), failure);
            worker = null;
        } finally {
            lock.unlock();
        }
    }

    /** Asks it to stop; false if it does not run. */
    boolean stop() {
        stop = true;
        return status().running;
    }

    /** Thrown by work that cannot end otherwise when it is asked to stop. */
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedException() {
            super("stopped", null, false, false);
        }
    }

    @Override
    public void close() {
        Thread left;
        lock.lock();
        try {
            closed = true;
            stop = true;
            left = worker;
        } finally {
            lock.unlock();
        }
        if (left != null) {
            try {
                // With a Redis that hangs it is left behind; it holds nothing that must be put in
                // order, and its place is kept where it has one.
                boolean _ = left.join(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
