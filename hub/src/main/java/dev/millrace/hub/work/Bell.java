package dev.millrace.hub.work;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the one who waits for work: at once, or at a time that is told before. Thread-safe. */
public final class Bell {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private boolean ringing;
    private long alarm = Long.MAX_VALUE;
    private final long origin = System.nanoTime();

    private long now() {
        return System.nanoTime() - origin;
    }

    public void ring() {
        lock.lock();
        try {
            ringing = true;
            rung.signal();
        } finally {
            lock.unlock();
        }
    }

    public void ringIn(Duration wait) {
        lock.lock();
        try {
            alarm = Math.min(alarm, now() + wait.toNanos());
            rung.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until it rings, or for so long.
     *
     * @return whether somebody rang; if not, some time is over
     */
    public boolean await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long end = now() + atMost.toNanos();
            while (!ringing && now() < Math.min(end, alarm)) {
                long left = Math.min(end, alarm) - now();
                if (rung.await(left, TimeUnit.NANOSECONDS) && ringing) {
                    break;
                }
            }
            if (now() >= alarm) {
                alarm = Long.MAX_VALUE;
                ringing = false;
                return false;
            }
            boolean rang = ringing;
            ringing = false;
            return rang;
        } finally {
            lock.unlock();
        }
    }
}
