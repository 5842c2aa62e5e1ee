package dev.millrace.bench.pubsub;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./millrace bench pubsub}. */
@Command(
        name = "pubsub",
        description = {
            "Message channels over HTTP: publish, fetch and acknowledge, beside what the same"
                    + " server answers to a request that does nothing; and how long a message"
                    + " takes to a long poll that waits for it.",
            ""
        },
        sortOptions = false)
public final class PubsubBench implements Callable<Integer> {
    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 4, 3);

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections (default: 64).")
    private int connections;

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "100",
            description = "Channels (default: 100).")
    private int channels;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "3000",
            description = "Messages whose way to a waiting poll is timed (default: 3000).")
    private int messages;

    public PubsubBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        if (connections < 1 || channels < 1 || messages < 1) {
            throw new IllegalArgumentException(
                    "--connections, --channels and --messages are at least 1.");
        }
        try (RaceServer redis = options.open();
                Child hub =
                        new Child(
                                "The hub",
                                HubMain.class,
                                List.of("-Xms512m", "-Xmx512m"),
                                List.of(),
                                Map.of(
                                        HubMain.REDIS,
                                        redis.url(),
                                        HubMain.SOCKET,
                                        redis.socket().map(Path::toString).orElse("")),
                                out::say)) {
            int port = Integer.parseInt(hub.hear("ready"));
            Map<Deed, List<HubTurn>> turns = race(pace, redis, hub, port);
            redis.empty();
            Latencies deliveries = new Deliveries(port, channels).measure(messages);
            String text =
                    new PubsubReport(pace, connections, channels, turns, deliveries)
                            .text(
                                    redis.about(
                                            redis.socket().isPresent()
                                                    ? "by its socket"
                                                    : "by TCP"));
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("pubsub", text));
            }
        }
        return 0;
    }

    private Map<Deed, List<HubTurn>> race(Pace pace, RaceServer redis, Child hub, int port)
            throws Exception {
        Clients clients = new Clients(Address.local(port), "channel", connections, channels);
        long nanos = pace.time().toNanos();
        Deed[] deeds = Deed.values();
        Map<Deed, List<HubTurn>> turns = new EnumMap<>(Deed.class);
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            for (int i = 0; i < deeds.length; i++) {
                Deed deed = deeds[Math.floorMod(i + round, deeds.length)];
                redis.empty();
                clients.prepare(deed);
                HubTurn turn = HubTurn.of(hub, redis, () -> clients.repeat(deed, nanos));
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
                "%-8s %-12s %,9.0f per second, %7.1f µs hub, %6.1f µs Redis, %.1f cores others",
                round < 0 ? "warm-up" : "round " + (round + 1),
                deed.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                turn.perSecond(),
                turn.hubMicros(),
                turn.redisMicros(),
                turn.coresOfOthers());
    }
}
