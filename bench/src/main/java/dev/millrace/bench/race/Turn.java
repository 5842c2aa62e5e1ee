package dev.millrace.bench.race;

import java.util.concurrent.TimeUnit;

/**
 * What one contestant did in one round.
 *
 * @param jvmNanos processor time of this JVM, the threads that make the load included
 * @param redisNanos processor time of the server's main thread
 * @param machineNanos processor time of everybody on this machine; 0 where it cannot be told
 */
record Turn(long operations, long nanos, long jvmNanos, long redisNanos, long machineNanos) {

    double perSecond() {
        return operations * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    double jvmMicros() {
        return jvmNanos / 1000.0 / operations;
    }

    double redisMicros() {
        return redisNanos / 1000.0 / operations;
    }

    /** How many cores others kept busy, who had nothing to do with the race. */
    double coresOfOthers() {
        return Math.max(0, machineNanos - jvmNanos - redisNanos) / (double) nanos;
    }
}
