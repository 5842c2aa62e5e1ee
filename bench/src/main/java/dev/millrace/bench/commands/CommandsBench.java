package dev.millrace.bench.commands;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/** {@code ./millrace bench commands}. */
@Command(
        name = "commands",
        description = {
            "Orders to simulated devices over HTTP, from their giving until the end is stored and"
                    + " told: as many as can be, beside what the same server answers to a request"
                    + " that does nothing and beside the same keys written by hand; and how long"
                    + " one takes at a fixed rate.",
            ""
        },
        sortOptions = false)
public final class CommandsBench implements Callable<Integer> {
    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 2, 3);

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections, and orders in one pipeline (default: 64).")
    private int connections;

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "100",
            description = "Simulated devices (default: 100).")
    private int channels;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Orders a second where their time is measured (default: 1000).")
    private int rate;

    public CommandsBench(Out out) {
        this.out = out;
    }

    /** What was measured in one round. */
    private record Round(HubTurn ping, HubTurn commands, HubTurn byHand) {}

    @Override
    public Integer call() throws Exception {
        if (connections < 1 || channels < 1 || rate < 1) {
            throw new IllegalArgumentException(
                    "--connections, --channels and --rate are at least 1.");
        }
        Pace pace = options.pace(1, 0);
        long nanos = pace.time().toNanos();
        try (RaceServer redis = options.open();
                WholeHub hub = WholeHub.start(WholeHub.Plan.on(redis), out::say);
                Ends ends = new Ends(redis)) {
            Site site = new Site(hub, redis, channels, connections);
            site.prepare();
            List<Round> rounds = new ArrayList<>();
            List<Latencies> latencies = new ArrayList<>();
            for (int i = -pace.warmups(); i < pace.rounds(); i++) {
                redis.rewriteFiles();
                Round round = round(site, ends, nanos);
                ends.times();
                hub.settle();
                Latencies times = atRate(site, ends, nanos);
                hub.settle();
                out.say(line(i, round, times));
                if (i >= 0) {
                    rounds.add(round);
                    latencies.add(times);
                }
            }
            String text = text(redis, pace, rounds, latencies);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("commands", text));
            }
        }
        return 0;
    }

    private Round round(Site site, Ends ends, long nanos) throws Exception {
        HubTurn ping;
        try (HttpLoad load = site.pings()) {
            ping = HubTurn.of(site.hub().child(), site.redis(), () -> load.run(nanos));
        }
        HubTurn commands;
        try (HttpLoad load = site.load(ends::begin)) {
            commands =
                    HubTurn.of(
                            site.hub().child(),
                            site.redis(),
                            () -> {
                                long count = load.run(nanos);
                                ends.awaitAll();
                                return count;
                            },
                            site.hub()::settle);
        }
        ByHand hand = new ByHand(site.redis(), channels, connections);
        HubTurn byHand = HubTurn.of(site.hub().child(), site.redis(), () -> hand.repeat(nanos));
        return new Round(ping, commands, byHand);
    }

    /** A time counts from when the order should have been given, also if nobody was free for it. */
    private Latencies atRate(Site site, Ends ends, long nanos) throws Exception {
        double interval = 1e9 / rate;
        long[] turn = {0};
        long began = System.nanoTime();
        try (HttpLoad load = site.load(now -> ends.begin(began + (long) (turn[0]++ * interval)))) {
            load.atRate(nanos, rate);
            ends.awaitAll();
        }
        return Latencies.of(ends.times());
    }

    private static String line(int round, Round turns, Latencies times) {
        return String.format(
                Locale.ROOT,
                "%-8s %,9.0f commands a second, %7.1f µs hub, %6.1f µs Redis; median %.2f ms, p99"
                        + " %.2f ms",
                round < 0 ? "warm-up" : "round " + (round + 1),
                turns.commands.perSecond(),
                turns.commands.hubMicros(),
                turns.commands.redisMicros(),
                times.millis(50),
                times.millis(99));
    }

    private String text(
            RaceServer redis, Pace pace, List<Round> rounds, List<Latencies> latencies) {
        double[] others =
                rounds.stream().mapToDouble(each -> each.commands.coresOfOthers()).toArray();
        Latencies all = Latencies.of(latencies);
        return """
        %,d simulated devices, polled every 5 s, each with a set point that is read back; a whole hub with its embedded broker.

        - Machine: %s
        - Redis: %s
        - %d connections, each with one request in flight; a command counts when its end is stored and told
        - By hand: the records, mirrors, queues and events written by a raw client in a pipeline of as many orders, without checks, \
        without audit, feed and other events, and without a device
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Hub, Redis: processor time of that process for one command, with what the hub still does when it has ended; \
        the hub polls its devices meanwhile
        - Meanwhile other processes kept %s of %d cores busy

        | | per second | hub µs | Redis µs |
        |---|---:|---:|---:|
        %s%s%s
        From the giving to the end, at %,d a second, %,d times:

        | median ms | p99 ms | p99.9 ms | largest ms |
        |---:|---:|---:|---:|
        | %s |

        %s\
        """
                .formatted(
                        channels,
                        Machine.about(),
                        redis.about(),
                        connections,
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number("%.1f", Figures.median(others)),
                        Machine.cores(),
                        row("commands", rounds, Round::commands, true),
                        row("GET /api/v1/ping, which does nothing", rounds, Round::ping, true),
                        row("by hand, raw, pipelined", rounds, Round::byHand, false),
                        rate,
                        all.count(),
                        all.cells(),
                        Goal.table(goals(rounds, latencies)));
    }

    private interface Part {
        HubTurn of(Round round);
    }

    private static String row(String name, List<Round> rounds, Part part, boolean hub) {
        return "| %s | %s | %s | %s |\n"
                .formatted(
                        name,
                        cell("%,.0f", rounds, part, HubTurn::perSecond),
                        hub ? cell("%.1f", rounds, part, HubTurn::hubMicros) : "–",
                        cell("%.1f", rounds, part, HubTurn::redisMicros));
    }

    private static String cell(
            String format, List<Round> rounds, Part part, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, figures(rounds, part, figure));
    }

    private static double[] figures(
            List<Round> rounds, Part part, ToDoubleFunction<HubTurn> figure) {
        return rounds.stream().mapToDouble(each -> figure.applyAsDouble(part.of(each))).toArray();
    }

    private static List<Goal> goals(List<Round> rounds, List<Latencies> latencies) {
        double[] commands = figures(rounds, Round::commands, HubTurn::perSecond);
        return List.of(
                new Goal("commands a second", commands, "at least 1000"),
                new Goal(
                        "p99 ms from giving to end",
                        latencies.stream().mapToDouble(each -> each.millis(99)).toArray(),
                        "at most 50"),
                new Goal(
                        "commands a second ÷ requests that do nothing",
                        Figures.ratios(commands, figures(rounds, Round::ping, HubTurn::perSecond)),
                        ""),
                new Goal(
                        "time of Redis, by hand ÷ commands",
                        Figures.ratios(
                                figures(rounds, Round::byHand, HubTurn::redisMicros),
                                figures(rounds, Round::commands, HubTurn::redisMicros)),
                        ""));
    }
}
