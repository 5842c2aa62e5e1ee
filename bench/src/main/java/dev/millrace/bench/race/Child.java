package dev.millrace.bench.race;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process that we talk with in lines. */
public final class Child implements AutoCloseable {
    private static final Duration LAST_WORDS = Duration.ofMinutes(1);

    private final String name;
    private final Process process;
    private final BufferedWriter in;
    private final BufferedReader out;

    /**
     * @param said hears what it says besides
     */
    public Child(
            String name,
            String mainClass,
            List<String> flags,
            List<String> args,
            Map<String, String> environment,
            Consumer<String> said)
            throws IOException {
        this.name = name;
        ProcessBuilder builder = new ProcessBuilder(Jvm.command(mainClass, flags, args));
        builder.environment().putAll(environment);
        process = builder.start();
        in = process.outputWriter(UTF_8);
        out = process.inputReader(UTF_8);
        BufferedReader rest =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
        Thread.startVirtualThread(() -> rest.lines().forEach(line -> said.accept("    " + line)));
    }

    /** The same of one of our classes. */
    public Child(
            String name,
            Class<?> mainClass,
            List<String> flags,
            List<String> args,
            Map<String, String> environment,
            Consumer<String> said)
            throws IOException {
        this(name, mainClass.getName(), flags, args, environment, said);
    }

    public void tell(String line) {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The rest of its next line, which begins with this word.
     *
     * @throws IllegalStateException with its own words, if it does not
     */
    public String hear(String word) {
        try {
            String line = out.readLine();
            if (line == null || !line.startsWith(word)) {
                throw new IllegalStateException(
                        "%s should have said '%s' and said: %s".formatted(name, word, line));
            }
            return line.substring(word.length()).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processor time so far. */
    public long cpuNanos() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Lets it end by itself, which it does when nobody speaks to it any more; not for ever. */
    public void end() {
        try {
            in.close();
            process.waitFor(LAST_WORDS.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException e) {
            // It is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
