package dev.millrace.bench.race;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.Optional;

/** The same of those that take place on one Redis. */
public final class RaceOptions extends PaceOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "A Redis whose database is empty (default: starts one of its own, as the hub"
                            + " does).")
    private @Nullable String url;

    public RaceOptions(int rounds, int warmups, double seconds) {
        super(rounds, warmups, seconds);
    }

    public RaceServer open() {
        return RaceServer.open(Optional.ofNullable(url));
    }
}
