package dev.millrace.bench.race;

import java.util.concurrent.TimeUnit;

/**
 * What one contestant did in one round.
 *
 * @param jvmNanos processor time of this JVM, the threads that make the load included
 * @param redisNanos processor time of the server's main thread
 */
record Turn(long operations, long nanos, long jvmNanos, long redisNanos) {

    double perSecond() {
        return operations * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    double jvmMicros() {
        return jvmNanos / 1000.0 / operations;
    }

    double redisMicros() {
        return redisNanos / 1000.0 / operations;
    }
}
