package dev.millrace.hub.mqtt;

import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.testing.TestPorts;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Mosquitto, as somebody's own broker would be: a process of its own, from the package {@code
 * mosquitto} of the system, which {@code ./millrace test} installs where it can.
 */
public final class TestMosquitto implements TestBroker {
    private final Path directory;
    private final List<String> lines;
    private final BrokerUrl url;
    private @Nullable Process process;

    private TestMosquitto(Path directory, BrokerUrl url, List<String> lines) {
        this.directory = directory;
        this.url = url;
        this.lines = lines;
    }

    /** Open to everybody on this machine. */
    public static TestMosquitto start(Path directory, String... lines) {
        List<String> all = new ArrayList<>(List.of("allow_anonymous true"));
        all.addAll(List.of(lines));
        return start(directory, false, Optional.empty(), Optional.empty(), all);
    }

    /** With a password file. */
    static TestMosquitto closed(Path directory, String user, String password) {
        Path file = directory.resolve("passwords");
        run("mosquitto_passwd", "-c", "-b", file.toString(), user, password);
        return start(
                directory,
                false,
                Optional.of(user),
                Optional.of(password),
                List.of("allow_anonymous false", "password_file " + file));
    }

    static TestMosquitto encrypted(Path directory, Path certificate, Path key) {
        return start(
                directory,
                true,
                Optional.empty(),
                Optional.empty(),
                List.of("allow_anonymous true", "certfile " + certificate, "keyfile " + key));
    }

    private static TestMosquitto start(
            Path directory,
            boolean encrypted,
            Optional<String> user,
            Optional<String> password,
            List<String> lines) {
        TestMosquitto broker =
                new TestMosquitto(
                        directory,
                        new BrokerUrl(
                                encrypted ? "localhost" : "127.0.0.1",
                                TestPorts.take(),
                                encrypted,
                                user,
                                password),
                        lines);
        broker.start();
        return broker;
    }

    private static void run(String... command) {
        try {
            Process done = new ProcessBuilder(found(command)).redirectErrorStream(true).start();
            String said = new String(done.getInputStream().readAllBytes(), UTF_8);
            if (done.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Debian puts it where only an administrator looks. */
    private static List<String> found(String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        Path there = Path.of("/usr/sbin", command[0]);
        if (Files.isExecutable(there)) {
            all.set(0, there.toString());
        }
        return all;
    }

    @Override
    public BrokerUrl url() {
        return url;
    }

    @Override
    public String address() {
        return url.toString();
    }

    @Override
    public void start() {
        Path config = directory.resolve("mosquitto.conf");
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "listener " + url.port() + " 127.0.0.1",
                                "persistence true",
                                "persistence_location " + directory + "/",
                                "max_inflight_messages 1000",
                                "max_queued_messages 100000"));
        // As root it would become somebody else, who cannot write to the directory of a test.
        all.add("user " + System.getProperty("user.name"));
        all.addAll(lines);
        try {
            Files.write(config, all);
            process =
                    new ProcessBuilder(found("mosquitto", "-c", config.toString()))
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("mosquitto.log").toFile())
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The tests need mosquitto and could not start it; install the package"
                            + " mosquitto.",
                    e);
        }
        await().until(this::listens);
    }

    private boolean listens() {
        Process running = process;
        if (running == null || !running.isAlive()) {
            throw new IllegalStateException("mosquitto has ended; see " + directory);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void stop() {
        Process running = process;
        process = null;
        if (running != null) {
            running.destroy();
            try {
                running.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
