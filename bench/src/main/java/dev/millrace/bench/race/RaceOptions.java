package dev.millrace.bench.race;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.Optional;

/** The options that all benchmarks have; each with defaults of its own. */
public final class RaceOptions {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds that count (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            description = "Rounds before those (default: ${DEFAULT-VALUE}).")
    private int warmups;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long each works in a round (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "A Redis whose database is empty (default: starts one of its own, as the hub"
                            + " does).")
    private @Nullable String url;

    @Option(
            names = "--save",
            description = "Writes a page with the figures and today's date to bench/results too.")
    private boolean save;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean help;

    public RaceOptions(int rounds, int warmups, double seconds) {
        this.rounds = rounds;
        this.warmups = warmups;
        this.seconds = seconds;
    }

    public int rounds() {
        return rounds;
    }

    public int warmups() {
        return warmups;
    }

    /** How long each works in a round. */
    public Duration time() {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /**
     * All of it together.
     *
     * @param count instead of the time; 0 to go by the time
     */
    public Pace pace(int threads, long count) {
        return new Pace(threads, warmups, rounds, time(), count);
    }

    public RaceServer open() {
        return RaceServer.open(Optional.ofNullable(url));
    }

    public boolean save() {
        return save;
    }
}
