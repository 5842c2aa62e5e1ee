package dev.millrace.bench.fsck;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.OpenLoop;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.keyspace.redis.Redis;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** {@code ./millrace bench fsck}. */
@Command(
        name = "fsck",
        description = {
            "Fills a Redis of its own with events and readings, and measures writes with and"
                    + " without a running fsck, in turns.",
            ""
        },
        sortOptions = false)
public final class FsckBench implements Callable<Integer> {
    private static final String WHAT =
            """
            Readings are written at a fixed rate, each in its own commit, and measured from the moment at which each should \
            have begun. In turns nobody else is there, or the hub's fsck runs as a process of its own, from its start to its \
            end.
            """;

    /** Only an fsck that never ends reaches it. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(2, 1, 20);

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Events and readings to begin with (default: 1000000).")
    private long entities;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Writes a second (default: 2000).")
    private int rate;

    @Option(
            names = "--pace",
            paramLabel = "PERCENT",
            description = "That of fsck (default: its own, 50).")
    private String pace = "50";

    @Option(
            names = "--nice",
            paramLabel = "N",
            defaultValue = "15",
            description =
                    "How much fsck yields to other processes (default: 15, as the launcher starts"
                        + " it). On a machine that others keep busy, such a one hardly gets on.")
    private int nice;

    private final List<Latencies> without = new ArrayList<>();
    private final List<Latencies> with = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();

    public FsckBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException, ExecutionException {
        if (entities < 1 || rate < 1 || rate > 100_000) {
            throw new IllegalArgumentException("Nothing of it can be zero or negative.");
        }
        Pace race = options.pace(1, 0);
        try (RaceServer server = options.open();
                Redis redis = Redis.open(server.options())) {
            Gateway gateway = new Gateway(redis);
            long began = System.nanoTime();
            gateway.fill(entities);
            out.say(
                    "filled with %s keys in %.0f s"
                            .formatted(server.call("DBSIZE"), (System.nanoTime() - began) / 1e9));
            OpenLoop load = new OpenLoop(rate, gateway::write);
            for (int i = 0; i < race.warmups(); i++) {
                load.run(race.time()); // the JVM compiles
            }
            String result = turns(load, race, server.url());
            String text = report(server, race, result);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("fsck", text));
            }
        }
        return 0;
    }

    private String turns(OpenLoop load, Pace race, String url)
            throws InterruptedException, IOException {
        String result = "";
        for (int round = 0; round < race.rounds(); round++) {
            Latencies alone = told("without fsck", load.run(race.time()));
            long began = System.nanoTime();
            try (RunningFsck fsck =
                    new RunningFsck(url, pace, nice, line -> out.say("    " + line))) {
                Latencies together = told("with fsck", load.run(LONGEST, fsck::ended));
                result = fsck.result();
                times.add((System.nanoTime() - began) / 1_000_000_000);
                without.add(alone);
                with.add(together);
                ratios.add(together.millis(99) / alone.millis(99));
            }
        }
        return result;
    }

    private Latencies told(String what, Latencies latencies) {
        out.say(
                String.format(
                        Locale.ROOT,
                        "%-12s p50 %.2f ms, p99 %.2f ms, largest %.1f ms",
                        what,
                        latencies.millis(50),
                        latencies.millis(99),
                        latencies.millis(100)));
        return latencies;
    }

    private String report(RaceServer server, Pace race, String result) {
        double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        List<String> lines = new ArrayList<>();
        lines.add(WHAT);
        lines.add("- Machine: " + Machine.about());
        lines.add("- Server: " + server.about());
        lines.add(
                "- %,d entities to begin with; %,d writes a second; %d turns with fsck and as many without, of %.0f s"
                        .formatted(entities, rate, with.size(), race.time().toMillis() / 1000.0));
        lines.add(
                "- fsck --pace %s took %s s, the start of the JVM included, and said in the end: %s"
                        .formatted(pace, times, result.strip().replace("\n", " ")));
        lines.add("");
        lines.add("| | writes | p50 ms | p99 ms | p99.9 ms | largest ms |");
        lines.add("|---|---:|---:|---:|---:|---:|");
        lines.add(row("without fsck", Latencies.of(without)));
        lines.add(row("with fsck", Latencies.of(with)));
        lines.add("");
        lines.add(
                String.format(
                        Locale.ROOT,
                        "p99 with fsck ÷ without, in neighbouring turns: median %.2f (%.2f–%.2f).",
                        sorted[sorted.length / 2],
                        sorted[0],
                        sorted[sorted.length - 1]));
        return String.join("\n", lines) + "\n";
    }

    private static String row(String what, Latencies latencies) {
        return String.format(
                Locale.ROOT, "| %s | %,d | %s |", what, latencies.count(), latencies.cells());
    }
}
