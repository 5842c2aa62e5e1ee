package dev.millrace.bench.fsck;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The hub's {@code fsck} in a process of its own, as a person starts it. */
final class RunningFsck implements AutoCloseable {
    private final Process process;
    private final CompletableFuture<String> out = new CompletableFuture<>();

    /**
     * @param said hears what it says while it runs
     */
    RunningFsck(String url, String pace, Consumer<String> said) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        List.of(
                                "nice", // as the launcher does
                                "-n",
                                "15",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseCompactObjectHeaders",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.millrace.hub.Main",
                                "fsck",
                                "--pace",
                                pace));
        // Not on the command line: everybody on this machine could read the password.
        builder.environment().putAll(Map.of("MILLRACE_REDIS_URL", url));
        process = builder.start();
        Thread.ofVirtual()
                .start(
                        () ->
                                out.complete(
                                        read(
                                                process.inputReader(StandardCharsets.UTF_8),
                                                line -> {})));
        Thread.ofVirtual()
                .start(
                        () ->
                                read(
                                        new BufferedReader(
                                                new InputStreamReader(
                                                        process.getErrorStream(),
                                                        StandardCharsets.UTF_8)),
                                        said));
    }

    private static String read(BufferedReader reader, Consumer<String> said) {
        StringBuilder text = new StringBuilder();
        reader.lines()
                .forEach(
                        line -> {
                            text.append(line).append('\n');
                            said.accept(line);
                        });
        return text.toString();
    }

    boolean ended() {
        return !process.isAlive();
    }

    /**
     * What it printed.
     *
     * @throws IllegalStateException unless it found nothing wrong
     */
    String result() throws InterruptedException {
        int exit = process.waitFor();
        String text = out.join();
        if (exit != 0) {
            throw new IllegalStateException("fsck ended with %d: %s".formatted(exit, text));
        }
        return text;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
