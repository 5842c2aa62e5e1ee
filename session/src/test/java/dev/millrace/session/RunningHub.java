package dev.millrace.session;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A hub as a person starts it: a JVM of its own, with its embedded Redis. */
final class RunningHub implements AutoCloseable {
    private static final String READY = "ready ";

    private final Process process;
    final String url;

    private RunningHub(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    static RunningHub start(Path directory) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseCompactObjectHeaders",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                Stream.of(
                                                System.getProperty("java.class.path")
                                                        .split(File.pathSeparator, -1))
                                        .filter(each -> !each.contains("test-classes"))
                                        .collect(Collectors.joining(File.pathSeparator)),
                                "dev.millrace.hub.cli.Main",
                                "run"));
        for (String setting : List.of("http.port=0", "mqtt.embedded.port=off")) {
            command.addAll(List.of("--set", setting));
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = String.valueOf(reader.readLine());
        if (!line.startsWith(READY)) {
            process.destroyForcibly();
            throw new AssertionError("The hub did not start; it said: " + line);
        }
        return new RunningHub(process, line.substring(READY.length()));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
