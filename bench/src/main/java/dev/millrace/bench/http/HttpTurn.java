package dev.millrace.bench.http;

import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.RaceServer;

/**
 * What one entrant did in one round, with the processor time of everybody who took part.
 *
 * @param machineNanos of everybody on this machine; 0 where it cannot be told
 */
record HttpTurn(
        long requests,
        long nanos,
        long serverNanos,
        long loadNanos,
        long redisNanos,
        long machineNanos) {

    /** Where all the clocks stand. */
    record Clocks(long server, long load, long redis, long machine) {
        static Clocks read(Child server, Child load, RaceServer redis) {
            return new Clocks(
                    server.cpuNanos(), load.cpuNanos(), redis.cpuNanos(), Machine.busyNanos());
        }

        HttpTurn until(Clocks then, long requests, long nanos) {
            return new HttpTurn(
                    requests,
                    nanos,
                    then.server - server,
                    then.load - load,
                    then.redis - redis,
                    then.machine - machine);
        }
    }

    double perSecond() {
        return requests * 1e9 / nanos;
    }

    double serverMicros() {
        return serverNanos / 1000.0 / requests;
    }

    double loadMicros() {
        return loadNanos / 1000.0 / requests;
    }

    double redisMicros() {
        return redisNanos / 1000.0 / requests;
    }

    /** How many cores others kept busy, who had nothing to do with it. */
    double coresOfOthers() {
        return Math.max(0, machineNanos - serverNanos - loadNanos - redisNanos) / (double) nanos;
    }
}
