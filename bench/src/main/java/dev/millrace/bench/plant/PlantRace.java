package dev.millrace.bench.plant;

import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Lets the deeds work in turns, round after round. */
final class PlantRace {
    /** Long enough for thousands of calls; what is heard by then stays in memory. */
    private static final long RECORDED_NANOS = 500_000_000;

    private final RaceServer redis;
    private final WholeHub hub;
    private final Field field;
    private final int connections;
    private final Clients clients;
    private final RawClient raw;
    private final HandWritten handWritten;
    private final Map<Deed, Recording> recordings = new HashMap<>();

    PlantRace(RaceServer redis, WholeHub hub, Field field, int connections) throws IOException {
        this.redis = redis;
        this.hub = hub;
        this.field = field;
        this.connections = connections;
        this.clients = new Clients(hub.address(), field);
        this.raw = new RawClient(redis, field, connections);
        this.handWritten = new HandWritten(redis, field, connections);
    }

    Map<Deed, List<HubTurn>> run(List<Deed> deeds, Pace pace, Consumer<String> say)
            throws Exception {
        Map<Deed, List<HubTurn>> turns = new LinkedHashMap<>();
        deeds.forEach(deed -> turns.put(deed, new ArrayList<>()));
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            redis.rewriteFiles();
            for (int i = 0; i < deeds.size(); i++) {
                Deed deed = deeds.get(Math.floorMod(i + round, deeds.size()));
                if (deed.way() == Deed.Way.REPLAY) {
                    // Each time: commits say what they rely on, which an alarm changes.
                    recordings.put(deed, record(deed.by(Deed.Way.HUB)));
                }
                HubTurn turn =
                        HubTurn.of(
                                hub.child(),
                                redis,
                                () -> work(deed, pace.time().toNanos()),
                                () -> rest(deed));
                if (round >= 0) {
                    turns.getOrDefault(deed, new ArrayList<>()).add(turn);
                }
                say.accept(line(round, deed, turn));
            }
        }
        return turns;
    }

    /** What a hub does after it has answered belongs to the answer. */
    private void rest(Deed deed) throws InterruptedException {
        if (deed.asksHub()) {
            hub.settle();
        }
    }

    private Recording record(Deed deed) throws Exception {
        // Nothing that is done once only, such as telling that a point is new, is to be in it.
        clients.repeat(deed, connections, RECORDED_NANOS);
        hub.settle();
        try (Recorder recorder = new Recorder(redis)) {
            long writes = clients.repeat(deed, connections, RECORDED_NANOS);
            hub.settle();
            return new Recording(recorder.callsThatName(Field.VALUES, Field.UNHEARD), writes);
        }
    }

    private long work(Deed deed, long nanos) throws Exception {
        return switch (deed.way()) {
            case PING, HUB, CROSSING -> clients.repeat(deed, connections, nanos);
            case RAW -> raw.set(deed, nanos);
            case REPLAY -> replay(Objects.requireNonNull(recordings.get(deed)), deed, nanos);
            case FUNCTION -> handWritten.repeat(deed, nanos);
        };
    }

    /** A commit that is refused costs less than one that writes, so it must have written. */
    private long replay(Recording recording, Deed deed, long nanos) {
        String key = Field.UNHEARD + field.channelsWith(deed.rules()).getFirst() + ":T";
        redis.call("HSET", key, "1", "-1");
        long count = raw.replay(recording, nanos);
        if (redis.call("HGET", key, "1") instanceof byte[] value
                && value.length == 2
                && value[0] == '-') {
            throw new IllegalStateException(
                    "What was recorded does not write when it is repeated.");
        }
        return count;
    }

    private static String line(int round, Deed deed, HubTurn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s %-55s %,9.0f per second, %7.1f µs hub, %6.1f µs Redis, %.1f cores others",
                round < 0 ? "warm-up" : "round " + (round + 1),
                deed.name(),
                turn.perSecond(),
                turn.hubMicros(),
                turn.redisMicros(),
                turn.coresOfOthers());
    }
}
