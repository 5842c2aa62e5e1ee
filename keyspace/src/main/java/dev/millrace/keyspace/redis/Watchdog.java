package dev.millrace.keyspace.redis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Closes connections on which an answer is overdue, so that no reader waits for ever.
 *
 * <p>It sleeps until the earliest deadline that it knows of; whoever sets an earlier one says so
 * with {@link #within}, after it was set. As every request is expected to be answered much sooner
 * than it is overdue, hardly anybody ever wakes it, and at rest it does not look.
 */
final class Watchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    /** The deadline of a wire that needs no watching any more. */
    static final long CLOSED = Long.MIN_VALUE;

    /** Coarse on purpose: a time-out of seconds needs no better clock. */
    static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Longer than nobody asks for; what is closed in time is forgotten then. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final Thread thread;
    private volatile BooleanSupplier also = () -> false;
    private volatile boolean closed;

    private final long restNanos;

    Watchdog() {
        this(REST_NANOS);
    }

    /** The same that rests for another time when nothing is due. */
    Watchdog(long restNanos) {
        this.restNanos = restNanos;
        thread = Thread.ofPlatform().daemon().name("redis-watchdog").start(this::run);
    }

    void watch(Wire wire) {
        wires.add(wire);
        if (closed) {
            wire.close();
        }
    }

    boolean closed() {
        return closed;
    }

    /** Something else to be done at every look; true if it is to be done again soon. */
    void also(BooleanSupplier work) {
        also = work;
    }

    /** A deadline was set: there will be a look by then, as {@code System.nanoTime} counts. */
    void within(long deadline) {
        if (deadline - next.get() < 0) {
            next.accumulateAndGet(deadline, Watchdog::sooner);
            LockSupport.unpark(thread);
        }
    }

    private static long sooner(long one, long other) {
        return one - other < 0 ? one : other;
    }

    private void run() {
        while (!closed) {
            long wait = next.get() - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(Math.max(wait, STEP_NANOS));
            } else {
                look(System.nanoTime());
            }
        }
    }

    private void look(long now) {
        // First, so that a deadline set meanwhile is either seen below or makes it sooner.
        next.set(now + restNanos);
        boolean soon = false;
        try {
            soon = also.getAsBoolean();
        } catch (RuntimeException e) {
            LOG.error("What the watchdog does besides has failed.", e);
        }
        if (soon) {
            within(now + STEP_NANOS);
        }
        wires.removeIf(wire -> wire.deadline == CLOSED);
        for (Wire wire : wires) {
            long deadline = wire.deadline;
            if (deadline == 0 || deadline == CLOSED) {
                continue;
            }
            if (now - deadline > 0) {
                wire.close();
            } else {
                within(deadline);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        wires.forEach(Wire::close);
        LockSupport.unpark(thread);
    }
}
