package dev.millrace.bench.race;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory of which nothing remains, also if somebody stops the benchmark: it may have grown to
 * gigabytes by then.
 */
public final class Scratch implements AutoCloseable {
    private final Path path;
    private final Thread hook;

    private Scratch(Path path) {
        this.path = path;
        this.hook = Thread.ofPlatform().unstarted(this::removeWhatIsThere);
    }

    public static Scratch create() throws IOException {
        Scratch scratch = new Scratch(Files.createTempDirectory("millrace-bench"));
        Runtime.getRuntime().addShutdownHook(scratch.hook);
        return scratch;
    }

    public Path path() {
        return path;
    }

    private void remove() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void removeWhatIsThere() {
        try {
            remove();
        } catch (IOException | UncheckedIOException e) {
            // Its server is still writing; what remains now is small.
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            remove();
        } catch (IllegalStateException e) {
            // Somebody has stopped us, and the hook does it.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
