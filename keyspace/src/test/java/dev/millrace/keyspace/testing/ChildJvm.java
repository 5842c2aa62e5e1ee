package dev.millrace.keyspace.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Another JVM with our classes, for tests that kill or stop a process. It is told what to do by
 * lines of text, and tells what it does: <i>news</i> as it happens, which a kill does not take
 * back, and an <i>answer</i> to each line it was told. It ends when we do.
 */
public final class ChildJvm implements AutoCloseable {
    private static final String NEWS = "> ";
    private static final String ANSWER = "= ";

    /** Only a hang ever reaches it. */
    private static final long CAP_SECONDS = 120;

    private final Process process;
    private final BufferedWriter input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread listener;

    private ChildJvm(Process process, Consumer<String> news) {
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.listener =
                Thread.ofPlatform()
                        .daemon()
                        .name("child-jvm-" + process.pid())
                        .start(() -> listen(news));
    }

    /** Starts a JVM; {@code news} is called by one thread, in the order of the news. */
    public static ChildJvm start(Class<?> main, Consumer<String> news, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ChildJvm(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start(),
                    news);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(Consumer<String> news) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(NEWS)) {
                    news.accept(line.substring(NEWS.length()));
                } else if (line.startsWith(ANSWER)) {
                    answers.add(line.substring(ANSWER.length()));
                } else if (line.contains(" ERROR ")) {
                    System.out.println(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next answer; one more than it was asked comes when it is ready. */
    public String answer() {
        try {
            String answer = answers.poll(CAP_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new IllegalStateException("The other JVM does not answer.");
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void tell(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String ask(String line) {
        tell(line);
        return answer();
    }

    /** SIGSTOP: it stands still, with whatever it has in its hands. Linux only. */
    public void pause() {
        signal("STOP");
        // The signal has one thread stop the others when it comes to run, which may take a while.
        Waiting.until(this::standsStill, () -> "The other JVM does not stop.");
    }

    private boolean standsStill() {
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String state = Files.readString(thread.resolve("stat"));
                // 12 (name of the thread) T …
                if (state.charAt(state.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            // A thread has ended meanwhile.
            return false;
        }
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            String line = "kill -s " + name + " " + process.pid();
            if (new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor() != 0) {
                throw new IllegalStateException("Cannot " + line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGKILL; returns when it is gone and all its news are heard. */
    public void kill() {
        // The process itself would close its pipes too, with its last words in them.
        process.toHandle().destroyForcibly();
        process.onExit().join();
        try {
            listener.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    // ---------------------------------------------------------------- in the other JVM

    /** One write to a pipe, which a kill cannot tear. */
    private static void write(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        // Not closed: it is the process's standard output.
        FileOutputStream output = new FileOutputStream(FileDescriptor.out);
        try {
            output.write(bytes);
        } catch (IOException e) {
            // Nobody is there to hear it any more.
            Runtime.getRuntime().halt(1);
        }
    }

    public static void news(String text) {
        write(NEWS + text);
    }

    public static void answer(String text) {
        write(ANSWER + text);
    }

    /** Does what it is told until nobody is there any more. */
    public static void obey(Consumer<String> orders) throws IOException {
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            orders.accept(line);
        }
        Runtime.getRuntime().halt(0);
    }
}
