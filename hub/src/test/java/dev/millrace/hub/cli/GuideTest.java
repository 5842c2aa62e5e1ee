package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whoever types what the README and the guide show gets what they show: every command in a {@code
 * console} block is run, in the order of its page, against one hub that runs beside. A line below a
 * command is what it prints, where … stands for anything, and an id for any id.
 */
class GuideTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    @TempDir private static Path directory;
    private static Millrace hub;

    private record Command(String text, List<String> prints) {}

    @BeforeAll
    static void start() throws InterruptedException {
        hub = Millrace.start(directory, "run").awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.terminate().end();
    }

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md")));
        try (Stream<Path> guide = Files.list(PROJECT.resolve("docs/guide"))) {
            guide.sorted().forEach(pages::add);
        }
        return pages;
    }

    private static List<Command> commands(Path page) throws IOException {
        List<Command> commands = new ArrayList<>();
        boolean console = false;
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
            } else if (console && line.startsWith("$ ")) {
                commands.add(new Command(line.substring(2), new ArrayList<>()));
            } else if (console) {
                commands.getLast().prints().add(line);
            }
        }
        return commands;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void what_a_page_shows_happens(Path page) throws Exception {
        for (Command command : commands(page)) {
            List<String> printed = run(command.text());
            if (!command.prints().isEmpty()) {
                assertThat(String.join("\n", printed))
                        .as(command.text())
                        .matches(pattern(String.join("\n", command.prints())));
            }
        }
    }

    private static Pattern pattern(String shown) {
        StringBuilder pattern = new StringBuilder();
        for (String piece : shown.split("(?<=…)|(?=…)", -1)) {
            pattern.append(
                    piece.equals("…")
                            ? ".*?"
                            : ID.matcher(piece).matches() ? ID.pattern() : Pattern.quote(piece));
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }

    private static List<String> run(String command) throws Exception {
        if (List.of("./millrace run", "./millrace demo").contains(command)) {
            // It runs already; what it printed is known.
            return List.of("ready http://127.0.0.1:8080");
        }
        if (command.startsWith("./millrace ")) {
            Millrace.Ended ended = Millrace.run(directory, command.substring(11).split(" "));
            assertThat(ended.exit()).as(command + "\n" + ended.err()).isZero();
            return ended.out().lines().toList();
        }
        assertThat(command).startsWith("curl ");
        boolean stays = command.startsWith("curl -N ");
        Process process =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                "exec "
                                        + command.replaceFirst(
                                                        "curl ", "curl -sS --fail-with-body ")
                                                .replace(
                                                        "localhost:8080", hub.url().getAuthority()))
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            if (stays) {
                assertThat(out.readLine()).as(command).isNotNull();
                process.destroy();
                return List.of();
            }
            List<String> lines = out.lines().toList();
            assertThat(process.waitFor()).as(command + "\n" + lines).isZero();
            return lines;
        }
    }
}
