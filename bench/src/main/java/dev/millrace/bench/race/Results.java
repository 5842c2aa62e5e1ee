package dev.millrace.bench.race;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;

/** The pages that are kept. */
public final class Results {
    private Results() {}

    /** Writes a page to {@code bench/results}, whatever the working directory is. */
    public static Path save(String benchmark, String text) throws IOException {
        Path results = projectRoot().resolve("bench").resolve("results");
        String name = benchmark + "-" + LocalDate.now(ZoneId.systemDefault());
        Files.createDirectories(results);
        return Files.writeString(
                results.resolve(name + ".md"), "# bench " + benchmark + "\n\n" + text);
    }

    /** Our classes are in bench/target, in a jar or in a directory. */
    private static Path projectRoot() throws IOException {
        try {
            Path classes =
                    Path.of(
                            Results.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            return classes.resolve("../../..").normalize().toRealPath();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
