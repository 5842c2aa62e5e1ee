package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import javax.tools.ToolProvider;

/**
 * The page about adding a room is true: its files, with the one line in {@link Rooms}, are compiled
 * and put before the hub's own classes, and its test passes, in a JVM of its own.
 */
class AddingARoomTest {
    private static final Path PAGE = Path.of("../docs/adding-a-room.md");
    private static final Path ROOMS = Path.of("src/main/java/dev/millrace/hub/Rooms.java");

    private static final Pattern FILE =
            Pattern.compile("`hub/src/\\w+/java/(\\S+)`\n\n```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINE =
            Pattern.compile("in `Rooms.all\\(\\)`:\n\n```java\n(.*?)```", Pattern.DOTALL);

    @TempDir private Path directory;

    @Test
    void a_room_is_six_files_and_one_line() throws Exception {
        String page = Files.readString(PAGE);
        List<Path> sources = new ArrayList<>();
        for (MatchResult file : FILE.matcher(page).results().toList()) {
            sources.add(write(file.group(1), file.group(2)));
        }
        assertThat(sources).hasSize(6);
        sources.add(write("dev/millrace/hub/Rooms.java", roomsWith(line(page))));
        Path classes = Files.createDirectory(directory.resolve("classes"));
        compile(sources, classes);

        Process test = java(classes, "dev.millrace.hub.visitors.VisitorsTest");
        String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(test.waitFor()).as(said).isZero();
        assertThat(said).contains("passed: 1");
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve("sources").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static String line(String page) {
        return LINE.matcher(page).results().map(found -> found.group(1)).findFirst().orElseThrow();
    }

    private static String roomsWith(String line) throws IOException {
        String rooms = Files.readString(ROOMS);
        String with =
                rooms.replaceFirst("return List\\.of\\(\n", "return List.of(\n" + line)
                        .replaceFirst(
                                "\nimport ",
                                "\nimport dev.millrace.hub.visitors.Visitors;\nimport ");
        assertThat(with).hasLineCount((int) rooms.lines().count() + 2);
        return with;
    }

    private static void compile(List<Path> sources, Path classes) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-parameters",
                                "-nowarn",
                                "-d",
                                classes.toString(),
                                "-cp",
                                System.getProperty("java.class.path")));
        sources.forEach(source -> arguments.add(source.toString()));
        assertThat(
                        ToolProvider.getSystemJavaCompiler()
                                .run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private static Process java(Path classes, String test) throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseCompactObjectHeaders",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classes + File.pathSeparator + System.getProperty("java.class.path"),
                        Runner.class.getName(),
                        test);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Runs a test class that needs nothing but itself. */
    static final class Runner {
        private Runner() {}

        public static void main(String[] arguments) throws Exception {
            Class<?> type = Class.forName(arguments[0]);
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            int passed = 0;
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    method.setAccessible(true);
                    method.invoke(constructor.newInstance());
                    passed++;
                }
            }
            System.out.println("passed: " + passed);
            // Servers that are shared by tests stay until the JVM ends.
            System.exit(0);
        }
    }
}
