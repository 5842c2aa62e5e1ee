package dev.millrace.bench.commit;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Contestant;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.Race;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Report;
import dev.millrace.bench.race.Results;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
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

    @Mixin private final RaceOptions options = new RaceOptions(7, 3, 3);

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "64",
            description = "Virtual threads that create at the same time (default: 64).")
    private int threads;

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

    public CommitBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Pace pace = options.pace(threads, count);
        try (RaceServer server = options.open();
                Contestants contestants = new Contestants(server.options(), lanes)) {
            Report report = new Race(chosen(contestants.all()), pace, server, out::say).run();
            String text =
                    WHAT + "\n" + report.conditions() + "\n" + report.table(List.of("b", "d"));
            out.result(text);
            if (options.save()) {
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
