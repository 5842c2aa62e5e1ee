package dev.millrace.bench.readings;

import dev.millrace.bench.http.Child;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.RaceServer;

/**
 * What was done in one turn, with the processor time of everybody who took part.
 *
 * @param count events or questions
 * @param loadNanos of this process, which makes the load
 * @param machineNanos of everybody on this machine; 0 where it cannot be told
 */
record Turn(
        long count, long nanos, long hubNanos, long loadNanos, long redisNanos, long machineNanos) {

    /** What is done between two looks at the clocks; gives how much it was. */
    interface Work {
        long run() throws Exception;
    }

    static Turn of(Child hub, RaceServer redis, Work work) throws Exception {
        long hubBefore = hub.cpuNanos();
        long redisBefore = redis.cpuNanos();
        long loadBefore = Machine.jvmNanos();
        long machineBefore = Machine.busyNanos();
        long began = System.nanoTime();
        long count = work.run();
        return new Turn(
                count,
                System.nanoTime() - began,
                hub.cpuNanos() - hubBefore,
                Machine.jvmNanos() - loadBefore,
                redis.cpuNanos() - redisBefore,
                Machine.busyNanos() - machineBefore);
    }

    double perSecond() {
        return count * 1e9 / nanos;
    }

    double hubMicros() {
        return hubNanos / 1000.0 / count;
    }

    double redisMicros() {
        return redisNanos / 1000.0 / count;
    }

    /** How many cores others kept busy, who had nothing to do with it. */
    double coresOfOthers() {
        return Math.max(0, machineNanos - hubNanos - loadNanos - redisNanos) / (double) nanos;
    }
}
