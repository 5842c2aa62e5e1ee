package dev.millrace.keyspace.testing;

import dev.millrace.keyspace.redis.embedded.ServerBinary;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A real server process for a test, on a free loopback port, with its files in a temporary
 * directory. It persists nothing unless told, can be killed, paused and started again, and dies
 * with the JVM in every case.
 *
 * <p>The system property {@code millrace.test.server} names another server program for all of them.
 *
 * <p>Safe for use by several threads; {@link #command} of one server runs one at a time.
 */
public final class TestServer implements AutoCloseable {

    static final String HOST = "127.0.0.1";

    /**
     * Ends the server when standard input closes, which happens when this JVM is gone. Small
     * brother of the script of the embedded server, and apart from it, so that a fault in that one
     * shows in its own tests only.
     */
    private static final String PARENT =
            """
            exec 3<&0
            "$1" "$2" </dev/null >"$3" 2>&1 3<&- &
            pid=$!
            echo "$pid"
            (read -r _ <&3; kill -9 "$pid") >/dev/null 2>&1 &
            wait "$pid"
            status=$?
            kill "$!"
            exit "$status"
            """;

    private static final int PORT_ATTEMPTS = 20;

    private static final Set<TestServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> OPEN.forEach(TestServer::close), "test-servers"));
    }

    private final Path directory;
    private final List<String> configLines;
    private Path program = Binary.FOUND.path();
    private final Optional<String> password;
    private final ReentrantLock commands = new ReentrantLock();
    private int port;
    private @Nullable Process parent;
    private long pid;
    private @Nullable RawConnection connection;

    private TestServer(Path directory, List<String> configLines) {
        this.directory = directory;
        this.configLines = configLines;
        this.password =
                configLines.stream()
                        .filter(line -> line.startsWith("requirepass "))
                        .map(line -> line.substring("requirepass ".length()).strip())
                        .findFirst();
    }

    /**
     * Starts a server.
     *
     * @param configLines more lines for its configuration, which win over ours; a {@code
     *     requirepass} among them is used by {@link #command} and {@link #url}
     */
    public static TestServer start(String... configLines) {
        try {
            Path directory = Files.createTempDirectory("millrace-test-");
            TestServer server = new TestServer(directory, List.of(configLines));
            OPEN.add(server);
            boolean started = false;
            try {
                server.startOnFreePort();
                started = true;
                return server;
            } finally {
                if (!started) {
                    server.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A sentinel; servers become one when they are called so. */
    static TestServer startSentinel(String... configLines) {
        try {
            Path directory = Files.createTempDirectory("millrace-test-");
            TestServer server = new TestServer(directory, List.of(configLines));
            server.program =
                    Files.createSymbolicLink(
                            directory.resolve("redis-sentinel"), Binary.FOUND.path());
            OPEN.add(server);
            server.startOnFreePort();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startOnFreePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            port = TestPorts.take();
            writeConfig();
            if (launch()) {
                return;
            }
            if (attempt == PORT_ATTEMPTS || !portTaken()) {
                throw new IllegalStateException("The test server did not start:\n" + log());
            }
        }
    }

    private boolean portTaken() {
        // As glibc says it, and as musl does, which the server in the jar was built with.
        String log = log();
        return log.contains("Address already in use") || log.contains("Address in use");
    }

    /** Whether the server got ready; if not, it has ended. */
    private boolean launch() throws IOException {
        Files.deleteIfExists(logFile());
        Process started =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                PARENT,
                                "millrace-test-server",
                                program.toAbsolutePath().toString(),
                                directory.resolve("server.conf").toString(),
                                logFile().toString())
                        .directory(directory.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        parent = started;
        BufferedReader reader = started.inputReader(StandardCharsets.US_ASCII);
        pid = Long.parseLong(String.valueOf(reader.readLine()));
        // Its own log and not its port is asked, which might be the port of somebody else's server.
        Waiting.until(
                () ->
                        log().contains("Ready to accept connections")
                                || log().contains("Sentinel ID is")
                                || !started.isAlive(),
                () -> "The test server does not get ready:\n" + log());
        return started.isAlive();
    }

    private void writeConfig() throws IOException {
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                "bind " + HOST,
                                "port " + port,
                                "save \"\"",
                                "appendonly no",
                                "enable-debug-command yes",
                                // A replica is to be there at once, not after five seconds.
                                "repl-diskless-sync-delay 0"));
        lines.addAll(configLines);
        Files.write(directory.resolve("server.conf"), lines);
    }

    public String host() {
        return HOST;
    }

    public int port() {
        return port;
    }

    /** {@code redis://127.0.0.1:port}, with the password if the configuration has one. */
    public String url() {
        return "redis://" + password.map(word -> ":" + word + "@").orElse("") + HOST + ":" + port;
    }

    Optional<String> password() {
        return password;
    }

    /** The process id of the server. */
    public long pid() {
        return pid;
    }

    public boolean alive() {
        Process process = parent;
        return process != null && process.isAlive();
    }

    /** Where the server keeps its files. */
    public Path directory() {
        return directory;
    }

    /** What the server wrote to its log since it was last started. */
    public String log() {
        try {
            return Files.readString(logFile(), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path logFile() {
        return directory.resolve("server.log");
    }

    /** SIGKILL; returns when the process is gone and its port is free. */
    public void kill() {
        Process process = parent;
        if (process == null || !process.isAlive()) {
            return;
        }
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        Waiting.until(() -> !process.isAlive(), () -> "The test server cannot be killed.");
    }

    /** Kills the server if it runs and starts it again, on the same port and directory. */
    public void restart() {
        kill();
        disconnect();
        try {
            for (int attempt = 1; !launch(); attempt++) {
                if (attempt == PORT_ATTEMPTS || !portTaken()) {
                    throw new IllegalStateException("The test server did not restart:\n" + log());
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGSTOP: the server keeps its connections, and answers nothing until {@link #resume}. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            // The shell's own kill: the program of that name is missing on small systems.
            int code =
                    new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid)
                            .inheritIO()
                            .start()
                            .waitFor();
            if (code != 0) {
                throw new IllegalStateException("Cannot send SIG" + name + " to " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A connection of its own, authenticated; for MULTI, subscriptions, blocking commands. */
    public RawConnection connect() {
        RawConnection opened = RawConnection.open(port);
        password.ifPresent(word -> opened.command("AUTH", word));
        return opened;
    }

    /** Runs one command; see {@link RawConnection} for what comes back. */
    public @Nullable Object command(String... words) {
        return call(open -> open.command(words));
    }

    /** Like {@link #command}, with bytes in and, for bulk replies, bytes out. */
    public @Nullable Object commandBytes(byte[]... words) {
        return call(open -> open.commandBytes(words));
    }

    /** Runs one command that a node importing the slot takes only after ASKING. */
    @Nullable Object commandAsking(String... words) {
        return call(
                open -> {
                    open.command("ASKING");
                    return open.command(words);
                });
    }

    private interface Call {
        @Nullable Object on(RawConnection open);
    }

    private @Nullable Object call(Call call) {
        commands.lock();
        try {
            RawConnection open = connection;
            if (open == null) {
                open = connect();
                connection = open;
            }
            return call.on(open);
        } catch (UncheckedIOException e) {
            disconnect();
            throw e;
        } finally {
            commands.unlock();
        }
    }

    private void disconnect() {
        commands.lock();
        try {
            RawConnection open = connection;
            connection = null;
            if (open != null) {
                open.close();
            }
        } finally {
            commands.unlock();
        }
    }

    public void flushAll() {
        command("FLUSHALL");
    }

    /** One field of INFO, such as {@code role}; empty when there is none. */
    public Optional<String> info(String field) {
        String start = field + ":";
        return String.valueOf(command("INFO", "everything"))
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    @Override
    public void close() {
        OPEN.remove(this);
        kill();
        disconnect();
        try {
            deleteTree(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException failure) throws IOException {
                        Files.delete(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /** Found once for all servers of the JVM. */
    private static final class Binary {
        static final ServerBinary FOUND = find();

        private static ServerBinary find() {
            Path target = Path.of("target");
            Path directory =
                    Files.isDirectory(target)
                            ? target.resolve("test-server")
                            : Path.of(
                                    System.getProperty("java.io.tmpdir"),
                                    "millrace-test-server-" + System.getProperty("user.name"));
            return ServerBinary.find(
                    Optional.ofNullable(System.getProperty("millrace.test.server")).map(Path::of),
                    directory);
        }
    }
}
