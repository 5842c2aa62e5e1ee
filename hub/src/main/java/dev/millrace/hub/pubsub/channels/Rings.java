package dev.millrace.hub.pubsub.channels;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the one who looks for work, and tells it in which part of the list. Thread-safe. */
public final class Rings {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private final BitSet parts = new BitSet();

    public void ring(int part) {
        lock.lock();
        try {
            parts.set(part);
            rung.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it rings, or for so long; gives where it rang. */
    public List<Integer> await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (parts.isEmpty() && left > 0) {
                left = rung.awaitNanos(left);
            }
            List<Integer> where = parts.stream().boxed().toList();
            parts.clear();
            return where;
        } finally {
            lock.unlock();
        }
    }
}
