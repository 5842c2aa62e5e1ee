package dev.millrace.bench.feed;

import dev.millrace.bench.Out;
import dev.millrace.bench.commit.Event;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.Race;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Report;
import dev.millrace.bench.race.Results;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.Redis;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** {@code ./millrace bench feed}. */
@Command(
        name = "feed",
        description = {
            "What a fact costs in a commit, how soon a waiting reader has it, and how many one"
                    + " reader reads.",
            ""
        },
        sortOptions = false)
public final class FeedBench implements Callable<Integer> {
    private static final String WHAT =
            """
            Creates events of about 300 bytes of JSON in four sorted indexes, one or four in a commit (as an event with its \
            readings comes from a device), without and with one fact of about 120 bytes for a feed in the same commit.
            """;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(7, 3, 3);

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "64",
            description = "Virtual threads that commit at the same time (default: 64).")
    private int threads;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "200",
            description = "Facts a second while delays are measured (default: 200).")
    private int rate;

    @Option(
            names = "--facts",
            paramLabel = "N",
            defaultValue = "200000",
            description = "How many one reader reads in a round (default: 200000).")
    private int facts;

    public FeedBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Duration time = options.time();
        Pace pace = options.pace(threads, 0);
        if (rate < 1 || facts < 1) {
            throw new IllegalArgumentException("There must be some facts to measure.");
        }
        Catalogue catalogue = Keyspace.catalogue(Event.LAYOUT);
        try (RaceServer server = options.open();
                Redis redis = Redis.open(server.options());
                Redis other = Redis.open(server.options())) {
            Keyspace writers = new Keyspace(redis, catalogue);
            Keyspace readers = new Keyspace(other, catalogue);
            Report cost = new Race(Writers.of(writers), pace, server, out::say).run();
            String text =
                    WHAT
                            + "\n"
                            + cost.conditions()
                            + "\n"
                            + cost.table(List.of("a", "c"))
                            + "\n"
                            + delays(server, writers, readers, time)
                            + "\n"
                            + reading(server, writers);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("feed", text));
            }
            server.empty();
        }
        return 0;
    }

    private String delays(RaceServer server, Keyspace writers, Keyspace readers, Duration time)
            throws InterruptedException {
        server.empty();
        Delay.measure(writers, writers, rate, time); // the JVM compiles
        Delay.measure(writers, readers, rate, time);
        Delay.Result same = Delay.measure(writers, writers, rate, time);
        Delay.Result elsewhere = Delay.measure(writers, readers, rate, time);
        return """
        From the beginning of a commit, %d a second, until its fact is in the hands of a durable reader that waits:

        | | facts | p50 ms | p99 ms | p99.9 ms | largest ms |
        |---|---:|---:|---:|---:|---:|
        | the commit alone | %d | %s |
        | reader in the same keyspace | %d | %s |
        | reader in another, with its own connections | %d | %s |
        """
                .formatted(
                        rate,
                        same.committed().count(),
                        same.committed().cells(),
                        same.read().count(),
                        same.read().cells(),
                        elsewhere.read().count(),
                        elsewhere.read().cells());
    }

    private String reading(RaceServer server, Keyspace keyspace) throws InterruptedException {
        int rounds = options.rounds();
        double[] figures = new double[rounds];
        for (int round = -1; round < rounds; round++) {
            server.empty();
            double figure = Reading.perSecond(keyspace, facts);
            if (round >= 0) {
                figures[round] = figure;
            }
        }
        Arrays.sort(figures);
        return String.format(
                Locale.ROOT,
                "One durable reader that is behind reads %,.0f facts a second (%,.0f–%,.0f),"
                        + " each batch of 256 marked as read in a commit.%n",
                figures[figures.length / 2],
                figures[0],
                figures[figures.length - 1]);
    }
}
