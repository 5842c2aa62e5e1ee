package dev.millrace.bench.fsck;

import dev.millrace.bench.race.Jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The hub's {@code fsck} in a process of its own, as a person starts it. */
final class RunningFsck implements AutoCloseable {
    private final Process process;
    private final CompletableFuture<String> out = new CompletableFuture<>();

    /**
     * @param nice how much it yields to others; 0 for nothing
     * @param said hears what it says while it runs
     */
    RunningFsck(String url, String pace, int nice, Consumer<String> said) throws IOException {
        List<String> command = new ArrayList<>(List.of("nice", "-n", Integer.toString(nice)));
        command.addAll(
                Jvm.command(
                        "dev.millrace.hub.cli.Main", List.of(), List.of("fsck", "--pace", pace)));
        ProcessBuilder builder = new ProcessBuilder(command);
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
