package dev.millrace.bench.readings;

import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceServer;

import java.util.function.Consumer;

/**
 * What every part of the benchmark has: a hub with its broker, and the Redis that it is on.
 *
 * @param say hears how far it is
 */
record Scene(
        Pace pace,
        RaceServer redis,
        HubUnderTest hub,
        HubUnderTest.Crowd crowd,
        Consumer<String> say) {

    long nanos() {
        return pace.time().toNanos();
    }
}
