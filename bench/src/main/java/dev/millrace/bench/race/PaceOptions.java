package dev.millrace.bench.race;

import picocli.CommandLine.Option;

import java.time.Duration;

/** The options of every benchmark that goes in rounds; each has defaults of its own. */
public sealed class PaceOptions permits RaceOptions {
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
            names = "--save",
            description = "Writes a page with the figures and today's date to bench/results too.")
    private boolean save;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean help;

    public PaceOptions(int rounds, int warmups, double seconds) {
        this.rounds = rounds;
        this.warmups = warmups;
        this.seconds = seconds;
    }

    public final int rounds() {
        return rounds;
    }

    public final int warmups() {
        return warmups;
    }

    /** How long each works in a round. */
    public final Duration time() {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /**
     * All of it together.
     *
     * @param count instead of the time; 0 to go by the time
     */
    public final Pace pace(int threads, long count) {
        return new Pace(threads, warmups, rounds, time(), count);
    }

    public final boolean save() {
        return save;
    }
}
