package dev.millrace.bench.documents;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./millrace bench documents}. */
@Command(
        name = "documents",
        description = {
            "Documents over HTTP, one and a hundred at once, beside what the same server answers"
                    + " to a request that does nothing and beside Redis alone; and how long a"
                    + " change takes to reach a subscriber by MQTT.",
            ""
        },
        sortOptions = false)
public final class DocumentsBench implements Callable<Integer> {
    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 4, 3);

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections, and commands in one pipeline (default: 64).")
    private int connections;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Changes whose way to a subscriber is timed (default: 2000).")
    private int events;

    public DocumentsBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        if (connections < 1 || events < 1) {
            throw new IllegalArgumentException("--connections and --events are at least 1.");
        }
        try (RaceServer redis = options.open();
                WholeHub hub = WholeHub.start(WholeHub.Plan.on(redis), out::say)) {
            new Requests(hub.address()).fill();
            Map<Deed, List<HubTurn>> turns = race(pace, redis, hub);
            Latencies announced = Announced.measure(hub, events);
            String text =
                    new DocumentsReport(pace, connections, turns, announced).text(redis.about());
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("documents", text));
            }
        }
        return 0;
    }

    private Map<Deed, List<HubTurn>> race(Pace pace, RaceServer redis, WholeHub hub)
            throws Exception {
        RawClient raw = new RawClient(redis, connections);
        Requests requests = new Requests(hub.address());
        long nanos = pace.time().toNanos();
        Deed[] deeds = Deed.values();
        Map<Deed, List<HubTurn>> turns = new EnumMap<>(Deed.class);
        hub.settle();
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            for (int i = 0; i < deeds.length; i++) {
                Deed deed = deeds[Math.floorMod(i + round, deeds.length)];
                HubTurn turn =
                        HubTurn.of(
                                hub.child(),
                                redis,
                                () ->
                                        deed.isRaw()
                                                ? raw.repeat(deed, nanos)
                                                : requests.repeat(deed, connections, nanos),
                                hub::settle);
                if (round >= 0) {
                    turns.computeIfAbsent(deed, any -> new ArrayList<>()).add(turn);
                }
                out.say(line(round, deed, turn));
            }
        }
        return turns;
    }

    private static String line(int round, Deed deed, HubTurn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s %-8s %,9.0f per second, %7.1f µs hub, %6.1f µs Redis, %.1f cores others",
                round < 0 ? "warm-up" : "round " + (round + 1),
                deed.name().toLowerCase(Locale.ROOT),
                turn.perSecond(),
                turn.hubMicros(),
                turn.redisMicros(),
                turn.coresOfOthers());
    }
}
