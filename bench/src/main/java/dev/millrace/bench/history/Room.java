package dev.millrace.bench.history;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Scratch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Bytes for each sample of a day of seconds.
 *
 * @param redis in the memory of Redis
 * @param sqlite in a file of SQLite with an index over series and time; empty where there is no
 *     Python to ask
 */
record Room(long samples, double redis, OptionalDouble sqlite) {
    /** The same values as the samples that are asked for. */
    private static final String SQLITE =
            """
            import math, sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.execute('create table samples (series integer, ts integer, value real)')
            db.execute('create index of_series on samples (series, ts)')
            count = int(sys.argv[2])
            db.executemany('insert into samples values (1, ?, ?)', ((1754568000000 + i * 1000,
                round(5000 + 3000 * math.sin(i / 500) + i * 31 % 97) / 100) for i in range(count)))
            db.commit()
            """;

    static Room measure(RaceServer redis, List<String> keys)
            throws IOException, InterruptedException {
        long bytes = 0;
        long samples = 0;
        for (String key : keys) {
            if (redis.call("MEMORY", "USAGE", key, "SAMPLES", "0") instanceof Long usage
                    && redis.call("ZCARD", key) instanceof Long count) {
                bytes += usage;
                samples += count;
            }
        }
        if (samples == 0) {
            throw new IllegalStateException("There are no samples in " + keys.getFirst() + ".");
        }
        return new Room(samples, (double) bytes / samples, sqlite(samples));
    }

    private static OptionalDouble sqlite(long samples) throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create()) {
            Path file = scratch.path().resolve("samples.db");
            Process python =
                    new ProcessBuilder(
                                    "python3",
                                    "-c",
                                    SQLITE,
                                    file.toString(),
                                    Long.toString(samples))
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return python.waitFor() == 0 && said.isEmpty()
                    ? OptionalDouble.of((double) Files.size(file) / samples)
                    : OptionalDouble.empty();
        } catch (IOException e) {
            // There is no Python here.
            return OptionalDouble.empty();
        }
    }
}
