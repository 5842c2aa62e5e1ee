package dev.millrace.hub.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a demo keeps its data. It says so in a file, so that a demo neither writes into what is
 * somebody's nor throws it away.
 */
public final class DemoDirectory {
    private static final String MARK = "millrace-demo";

    private final Path directory;

    public DemoDirectory(Path directory) {
        this.directory = directory;
    }

    /** Makes it, unless there is one of a demo; why not, in a sentence, if it is somebody's. */
    public Optional<String> take() {
        try {
            if (Files.exists(directory.resolve(MARK))) {
                return Optional.empty();
            }
            if (Files.exists(directory) && !isEmpty()) {
                return Optional.of(
                        "%s holds something that is not a demo's; name another directory with --set"
                                        .formatted(directory)
                                + " data.dir.");
            }
            Files.createDirectories(directory);
            Files.writeString(
                    directory.resolve(MARK),
                    "What is here belongs to ./millrace demo; demo --reset throws it away.\n");
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    /** Throws away what demos have left in it, and takes it. */
    public Optional<String> reset() {
        if (Files.exists(directory.resolve(MARK))) {
            try (Stream<Path> files = Files.walk(directory)) {
                List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
                for (Path each : innermostFirst) {
                    Files.delete(each);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return take();
    }
}
