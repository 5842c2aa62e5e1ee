package dev.millrace.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A hub as a person starts it: a JVM of its own, with its embedded Redis. */
final class RunningHub implements AutoCloseable {
    private static final String READY = "ready ";
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final String url;

    private RunningHub(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    static RunningHub start(Path directory, String... settings) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of("run", "--set", "http.port=0", "--set", "mqtt.embedded.port=0"));
        for (String setting : settings) {
            arguments.addAll(List.of("--set", setting));
        }
        Process process = begin(directory, arguments);
        String line = firstLine(process);
        if (!line.startsWith(READY)) {
            process.destroyForcibly();
            throw new AssertionError("The hub did not start; it said: " + line);
        }
        return new RunningHub(process, line.substring(READY.length()));
    }

    /** Runs a command to its end and gives its first line. */
    static String line(Path directory, String... arguments) throws IOException {
        return firstLine(begin(directory, List.of(arguments)));
    }

    private static Process begin(Path directory, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseCompactObjectHeaders",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        "dev.millrace.hub.cli.Main"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("test-classes") && !entry.contains("playwright"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String firstLine(Process process) throws IOException {
        BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return String.valueOf(reader.readLine());
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
