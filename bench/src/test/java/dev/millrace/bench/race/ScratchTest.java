package dev.millrace.bench.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class ScratchTest {
    @Test
    void nothing_remains_of_it() throws IOException {
        Path path;
        try (Scratch scratch = Scratch.create()) {
            path = scratch.path();
            Files.writeString(Files.createDirectory(path.resolve("below")).resolve("file"), "x");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void nothing_remains_of_it_when_somebody_stops_the_benchmark() throws IOException {
        try (Child child =
                new Child(
                        "The one that is stopped",
                        Stopped.class,
                        List.of(),
                        List.of(),
                        Map.of(),
                        line -> {})) {
            Path path = Path.of(child.hear("made"));
            assertThat(path).exists();
            child.process().destroy();
            await().until(() -> !child.process().isAlive());
            assertThat(path).doesNotExist();
        }
    }

    /** Makes one and waits for its end. */
    static final class Stopped {
        private Stopped() {}

        public static void main(String[] args) throws IOException {
            Scratch scratch = Scratch.create();
            Files.writeString(scratch.path().resolve("file"), "x");
            System.out.println("made " + scratch.path());
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
        }
    }
}
