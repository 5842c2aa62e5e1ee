package dev.millrace.bench.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Writes of values as fast as they are taken, to channels with rules and to such without. */
final class Evaluations {
    private static final int LOOK_MILLIS = 100;

    /** When nothing more is counted for so long, nothing more comes. */
    private static final int LOOKS_AT_REST = 600;

    private final WholeHub hub;
    private final RaceServer redis;
    private final Population rules;
    private int turn;

    Evaluations(WholeHub hub, RaceServer redis, Population rules) {
        this.hub = hub;
        this.redis = redis;
        this.rules = rules;
    }

    /**
     * What one round came to.
     *
     * @param plain writes to channels without rules
     * @param watched the same to channels with rules, until all was looked at
     * @param evaluated how often a rule was evaluated for them
     * @param missed how often it should have been besides
     */
    record Round(HubTurn plain, HubTurn watched, long evaluated, long missed) {
        double perSecond() {
            return evaluated * 1e9 / watched.nanos();
        }

        /** Processor time of the hub for one evaluation, beyond that of the write. */
        double hubNanos() {
            return (watched.hubNanos() - plain.hubMicros() * 1000 * watched.count())
                    / Math.max(1, evaluated);
        }
    }

    Round round(long nanos) throws Exception {
        HubTurn plain;
        try (HttpLoad load = writers(rules.channels())) {
            plain = HubTurn.of(hub.child(), redis, () -> load.run(nanos), hub::settle);
        }
        long before = counted();
        long[] after = {0};
        HubTurn watched;
        try (HttpLoad load = writers(0)) {
            watched =
                    HubTurn.of(
                            hub.child(),
                            redis,
                            () -> {
                                long writes = load.run(nanos);
                                after[0] = await(before + writes * ofAWrite());
                                return writes;
                            },
                            hub::settle);
        }
        long evaluated = after[0] - before;
        return new Round(plain, watched, evaluated, watched.count() * ofAWrite() - evaluated);
    }

    private static long ofAWrite() {
        return (long) Population.POINTS * Population.OF_A_POINT;
    }

    int connections() {
        return rules.channels();
    }

    /** One connection for each channel, so that each value differs from the one before it. */
    HttpLoad writers(int behind) throws Exception {
        List<HttpLoad.Talker> talkers = new ArrayList<>();
        for (int channel = behind + 1; channel <= behind + rules.channels(); channel++) {
            turn++;
            byte[][] bodies = {rules.write(channel, turn), rules.write(channel, turn + 1)};
            int[] next = {0};
            talkers.add(answer -> bodies[next[0]++ % 2]);
        }
        turn++;
        return new HttpLoad(nanos -> {}, hub.address(), talkers);
    }

    private long await(long wanted) throws InterruptedException {
        long counted = counted();
        for (int rest = 0; counted < wanted && rest < LOOKS_AT_REST; rest++) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            long now = counted();
            if (now > counted) {
                rest = 0;
            }
            counted = now;
        }
        return counted;
    }

    /** As the hub counts it for everybody. */
    private long counted() {
        return redis.call("HGET", "rule:statistics", "total_executions") instanceof byte[] count
                ? Long.parseLong(new String(count, UTF_8))
                : 0;
    }
}
