package dev.millrace.hub.cli;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The program as a person starts it: a JVM of its own, with the class path of the product and
 * without that of the tests.
 */
public final class Millrace implements AutoCloseable {
    /** Far away: only a hang reaches it. */
    private static final long PATIENCE_SECONDS = 120;

    /**
     * Where tests were started in the background, the shell has made SIGINT be ignored, and all
     * children inherit that. This gives it its meaning back, and then becomes the command.
     */
    private static final List<String> DEFAULT_SIGNALS = defaultSignals();

    private static List<String> defaultSignals() {
        List<String> prefix = List.of("env", "--default-signal=INT");
        try {
            List<String> probe = new ArrayList<>(prefix);
            probe.add("true");
            return new ProcessBuilder(probe).start().waitFor() == 0 ? prefix : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** How a command ended. */
    public record Ended(int exit, String out, String err) {}

    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile @Nullable URI url;
    private final CompletableFuture<String> out;
    private final CompletableFuture<String> err;

    private Millrace(Path directory, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(DEFAULT_SIGNALS);
        command.addAll(Program.start());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        // Several of them run at once.
        builder.environment().put("MILLRACE_HTTP_PORT", "0");
        builder.environment().put("MILLRACE_MQTT_EMBEDDED_PORT", "off");
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out = reading(process.getInputStream());
        err = reading(process.getErrorStream());
    }

    private CompletableFuture<String> reading(InputStream stream) {
        // Not on the common pool, where one reader could wait for the other for ever.
        return CompletableFuture.supplyAsync(
                () -> read(stream), task -> Thread.ofPlatform().daemon().start(task));
    }

    private String read(InputStream stream) {
        StringBuilder text = new StringBuilder();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                text.append(line).append('\n');
                if (line.startsWith("ready ")) {
                    url = URI.create(line.substring("ready ".length()));
                    ready.countDown();
                }
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ready.countDown();
        }
    }

    /** Runs a command to its end. */
    public static Ended run(Path directory, String... arguments) {
        return run(directory, Map.of(), arguments);
    }

    public static Ended run(Path directory, Map<String, String> environment, String... arguments) {
        try (Millrace started = new Millrace(directory, environment, arguments)) {
            return started.end();
        }
    }

    /**
     * Runs a command to its end within this JVM, which takes a fraction of the time. What a process
     * adds (environment, working directory, signals, the exit itself) is shown once for each
     * command by {@link #run}.
     */
    static Ended inside(Path directory, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--set");
        all.add("data.dir=" + directory.resolve("data"));
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream noted = new ByteArrayOutputStream();
        try (PrintStream saying = new PrintStream(said, true, StandardCharsets.UTF_8);
                PrintStream noting = new PrintStream(noted, true, StandardCharsets.UTF_8)) {
            System.setOut(saying);
            System.setErr(noting);
            int exit = Main.execute(all.toArray(String[]::new));
            return new Ended(
                    exit,
                    said.toString(StandardCharsets.UTF_8),
                    noted.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** Starts a command that stays. */
    public static Millrace start(Path directory, String... arguments) {
        return new Millrace(directory, Map.of(), arguments);
    }

    public Millrace awaitReady() throws InterruptedException {
        if (!ready.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || !process.isAlive()) {
            throw new AssertionError("It is not ready: " + end());
        }
        return this;
    }

    /** Where it said that it listens. */
    public URI url() {
        return Objects.requireNonNull(url);
    }

    long pid() {
        return process.pid();
    }

    /** Sends SIGTERM. (Process.destroy would close its output too.) */
    Millrace terminate() {
        process.toHandle().destroy();
        return this;
    }

    public Millrace signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-s", name, Long.toString(process.pid())).start().waitFor();
        return this;
    }

    public Ended end() {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("It does not end.");
            }
            return new Ended(process.exitValue(), out.join(), err.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
