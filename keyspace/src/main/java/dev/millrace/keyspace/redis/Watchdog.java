package dev.millrace.keyspace.redis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Closes connections on which an answer is overdue, so that no reader waits for ever. */
final class Watchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    /** The deadline of a wire that needs no watching any more. */
    static final long CLOSED = Long.MIN_VALUE;

    /** Coarse on purpose: a time-out of seconds needs no better clock. */
    private static final long STEP_NANOS = 50_000_000;

    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
    private volatile Runnable also = () -> {};
    private volatile boolean closed;

    Watchdog() {
        Thread.ofPlatform().daemon().name("redis-watchdog").start(this::run);
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

    /** Something else to be done at every step. */
    void also(Runnable work) {
        also = work;
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(STEP_NANOS);
            try {
                also.run();
            } catch (RuntimeException e) {
                LOG.error("What the watchdog does besides has failed.", e);
            }
            long now = System.nanoTime();
            wires.removeIf(wire -> wire.deadline == CLOSED);
            for (Wire wire : wires) {
                long deadline = wire.deadline;
                if (deadline != 0 && now - deadline > 0) {
                    wire.close();
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        wires.forEach(Wire::close);
    }
}
