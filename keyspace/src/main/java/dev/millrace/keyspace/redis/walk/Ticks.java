package dev.millrace.keyspace.redis.walk;

import java.util.concurrent.locks.LockSupport;

/** Time that passes, and waiting in it; tests bring their own. */
public interface Ticks {
    Ticks REAL =
            new Ticks() {
                @Override
                public long now() {
                    return System.nanoTime();
                }

                @Override
                public void sleep(long nanos) {
                    LockSupport.parkNanos(nanos);
                }
            };

    /** In nanoseconds, from nowhere in particular. */
    long now();

    /** About so long; an interrupt ends it early. */
    void sleep(long nanos);
}
