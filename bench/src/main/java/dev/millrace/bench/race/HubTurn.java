package dev.millrace.bench.race;

import java.util.function.LongSupplier;

/**
 * What was done in one turn, with the processor time of everybody who took part.
 *
 * @param count events or questions
 * @param loadNanos of this process, which makes the load
 * @param machineNanos of everybody on this machine; 0 where it cannot be told
 */
public record HubTurn(
        long count, long nanos, long hubNanos, long loadNanos, long redisNanos, long machineNanos) {

    /** What is done between two looks at the clocks; gives how much it was. */
    public interface Work {
        long run() throws Exception;
    }

    /** What comes after it and still belongs to it. */
    public interface Rest {
        void await() throws Exception;
    }

    public static HubTurn of(Child hub, RaceServer redis, Work work) throws Exception {
        return of(hub, redis, work, () -> {});
    }

    /**
     * The same.
     *
     * @param rest what a hub does once it has answered: it takes processor time, which counts, but
     *     nobody waits for it
     */
    public static HubTurn of(Child hub, RaceServer redis, Work work, Rest rest) throws Exception {
        return of(hub::cpuNanos, redis, work, rest);
    }

    /** The same for whatever serves. */
    public static HubTurn of(LongSupplier server, RaceServer redis, Work work, Rest rest)
            throws Exception {
        long hubBefore = server.getAsLong();
        long redisBefore = redis.cpuNanos();
        long loadBefore = Machine.jvmNanos();
        long machineBefore = Machine.busyNanos();
        long began = System.nanoTime();
        long count = work.run();
        long nanos = System.nanoTime() - began;
        rest.await();
        return new HubTurn(
                count,
                nanos,
                server.getAsLong() - hubBefore,
                Machine.jvmNanos() - loadBefore,
                redis.cpuNanos() - redisBefore,
                Machine.busyNanos() - machineBefore);
    }

    public double perSecond() {
        return count * 1e9 / nanos;
    }

    public double hubMicros() {
        return hubNanos / 1000.0 / count;
    }

    public double redisMicros() {
        return redisNanos / 1000.0 / count;
    }

    /** How many cores others kept busy, who had nothing to do with it. */
    public double coresOfOthers() {
        return Math.max(0, machineNanos - hubNanos - loadNanos - redisNanos) / (double) nanos;
    }
}
