package dev.millrace.bench.commit;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Contestant;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.Race;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Report;
import dev.millrace.bench.race.Results;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code ./millrace bench commit}. */
@Command(
        name = "commit",
        description = {
            "Creates an entity with four indexes by the engine, by a hand-written script, by plain"
                    + " commands and by Spring Data Redis, in turns.",
            ""
        },
        sortOptions = false)
public final class CommitBench implements Callable<Integer> {
    private static final String WHAT =
            """
            Creates an event of about 300 bytes of JSON in four sorted indexes, with an id that is checked to be new. \
            (a), (b) and (b2) write all of it or nothing; (c) is not atomic; (d) neither, and its indexes are plain sets. \
            Everybody makes the same events and, but for (d), the same bytes.
            """;

    private final Out out;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "64",
            description = "Virtual threads that create at the same time (default: 64).")
    private int threads;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "Rounds that count (default: 7).")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds before those (default: 3).")
    private int warmups;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "3",
            description = "How long each works in a round (default: 3).")
    private double seconds;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "Instead of --seconds: how many each creates in a round.")
    private long count;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            defaultValue = "0",
            description = "Connections of (a), (b) and (c) (default: the engine's).")
    private int lanes;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Only these contestants, for example a,b.")
    private @Nullable List<String> only;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "A Redis whose database is empty (default: starts one of its own, as the hub"
                            + " does).")
    private @Nullable String url;

    @Option(names = "--save", description = "Writes bench/results/commit-DATE.md too.")
    private boolean save;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean help;

    public CommitBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Pace pace =
                new Pace(
                        threads,
                        warmups,
                        rounds,
                        Duration.ofNanos(Math.round(seconds * 1e9)),
                        count);
        try (RaceServer server = RaceServer.open(Optional.ofNullable(url));
                Contestants contestants = new Contestants(server.options(), lanes)) {
            Report report = new Race(chosen(contestants.all()), pace, server, out::say).run();
            String text =
                    WHAT + "\n" + report.conditions() + "\n" + report.table(List.of("b", "d"));
            out.result(text);
            if (save) {
                out.say("Saved as " + Results.save("commit", text));
            }
        }
        return 0;
    }

    private List<Contestant> chosen(List<Contestant> all) {
        List<String> names = only;
        if (names == null) {
            return all;
        }
        List<Contestant> chosen = all.stream().filter(each -> names.contains(each.name())).toList();
        if (chosen.size() < names.size()) {
            throw new IllegalArgumentException(
                    "--only takes some of %s, separated by commas."
                            .formatted(all.stream().map(Contestant::name).toList()));
        }
        return chosen;
    }
}
