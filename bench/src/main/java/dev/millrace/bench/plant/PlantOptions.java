package dev.millrace.bench.plant;

import picocli.CommandLine.Option;

/** How large the plant is. */
final class PlantOptions {
    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections, and commands in one pipeline (default: 64).")
    private int connections;

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "100",
            description = "Channels (default: 100).")
    private int channels;

    @Option(
            names = "--points",
            paramLabel = "N",
            defaultValue = "100",
            description = "Points of each channel (default: 100).")
    private int points;

    int connections() {
        return connections;
    }

    /** The plant, with so many rules. */
    Field field(int rules) {
        if (connections < 1 || channels < 1 || points < 1 || points > 1000 || rules < 0) {
            throw new IllegalArgumentException(
                    "--connections, --channels and --points are at least 1, and --points at most"
                            + " 1000.");
        }
        return new Field(channels, points, rules);
    }
}
