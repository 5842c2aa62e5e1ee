package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.ServerLauncher.Running;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A real Redis or Valkey server as a child of this process, with its data in {@code dataDir/redis}:
 * append-only file, loopback port and unix socket, a new password at every start.
 *
 * <p>It lives exactly as long as we do. If it ends by itself, it is started again under the same
 * address ({@link ServerKeeper}; {@link #state} tells how it is doing). {@link #close} stops it in
 * order; if we are killed, its parent shell stops it ({@link ServerProcess}). An orphan is never
 * taken over: the next start waits until it is gone. There is one server per directory, ever
 * ({@link ServerLock}). What was acknowledged survives a {@code kill -9} of this process, since the
 * server is then stopped in order; what survives one of the server, or a power cut, is decided by
 * {@link AppendFsync}.
 *
 * <p>While it runs, {@code dataDir/redis/server.properties} tells other processes of the same user
 * how to reach it ({@link #running}).
 *
 * <p>Safe for use by several threads.
 */
public final class EmbeddedServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);

    static final String HOST = "127.0.0.1";
    private static final String USER = "default";

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Below the ports that systems give to outgoing connections: one of those could take the port
     * while the server is being started again, or even reach itself.
     */
    private static final int FIRST_PORT = 12_000;

    private static final int LAST_PORT = 32_000;

    /** What a sentence advises where a directory cannot be used; a program may name its setting. */
    public static final String OTHER_DIRECTORY = "another data directory";

    /** What a sentence advises where a port is taken. */
    public static final String FREE_PORT = "let it choose a free one";

    /** What a sentence advises where there can be no embedded server. */
    public static final String OTHER_SERVER =
            "Give the address of a running Redis or Valkey server instead";

    /** A free port may be taken by somebody before the server gets there. */
    private static final int PORT_ATTEMPTS = 20;

    private final ServerDirectory directory;
    private final Address address;
    private final ServerLock lock;
    private final ServerKeeper keeper;
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    private EmbeddedServer(
            ServerDirectory directory, Address address, ServerLock lock, ServerKeeper keeper) {
        this.directory = directory;
        this.address = address;
        this.lock = lock;
        this.keeper = keeper;
    }

    /** When the append-only file reaches the disk. */
    public enum AppendFsync {
        /**
         * Once a second, for {@code durability=memory}. A power cut may take the last second or two
         * with it, and so may a {@code kill -9} or a crash of the server: while the disk is busy
         * with the last fsync, the server keeps new writes to itself for up to two seconds.
         */
        EVERYSEC,
        /**
         * Before each answer, for {@code durability=fsync}. When it cannot write, such a server
         * ends rather than acknowledge; it is started again when there is room.
         */
        ALWAYS
    }

    /**
     * How to start.
     *
     * @param binary a server program, instead of the one that {@link ServerBinary} would find
     * @param port a port on the loopback address, or 0 for a free one
     * @param memory bytes that its data may take; then it refuses writes, before the machine is
     *     full and the system ends it
     * @param startTimeout how long the server may take to load its data
     */
    public record Options(
            Optional<Path> binary,
            int port,
            AppendFsync fsync,
            long memory,
            Duration startTimeout) {

        public Options {
            if (port < 0 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not in 0 to 65535");
            }
            if (!startTimeout.isPositive()) {
                throw new IllegalArgumentException("startTimeout must be positive");
            }
        }

        /**
         * A program that is found, a free port, everysec, half of the machine's memory, and time to
         * load some ten GB.
         */
        public static Options defaults() {
            return new Options(
                    Optional.empty(),
                    0,
                    AppendFsync.EVERYSEC,
                    machineMemory() / 2,
                    Duration.ofMinutes(5));
        }

        private static long machineMemory() {
            return ManagementFactory.getOperatingSystemMXBean()
                            instanceof com.sun.management.OperatingSystemMXBean machine
                    ? machine.getTotalMemorySize()
                    : 0; // without a limit
        }

        public Options withBinary(Path value) {
            return new Options(Optional.of(value), port, fsync, memory, startTimeout);
        }

        public Options withPort(int value) {
            return new Options(binary, value, fsync, memory, startTimeout);
        }

        public Options withFsync(AppendFsync value) {
            return new Options(binary, port, value, memory, startTimeout);
        }

        public Options withStartTimeout(Duration value) {
            return new Options(binary, port, fsync, memory, value);
        }

        public Options withMemory(long bytes) {
            return new Options(binary, port, fsync, bytes, startTimeout);
        }
    }

    /**
     * Where a server listens and what it wants to hear.
     *
     * @param socket the unix socket, where the platform and the length of the path allow one
     */
    public record Address(
            String host, int port, Optional<Path> socket, String user, String password) {

        /** Without the password: addresses end up in logs. */
        @Override
        public String toString() {
            return host + ":" + port + socket.map(path -> " and " + path).orElse("");
        }
    }

    /**
     * Starts a server and returns when it has loaded its data and answers.
     *
     * @throws EmbeddedServerException when it cannot; then no process and no lock is left
     */
    public static EmbeddedServer start(Path dataDir, Options options) {
        ServerDirectory directory = ServerDirectory.of(dataDir);
        ServerLock lock = null;
        EmbeddedServer started = null;
        try {
            directory.create();
            lock = ServerLock.take(directory.path());
            started = start(directory, lock, options);
            return started;
        } catch (IOException e) {
            throw new EmbeddedServerException(ServerDiagnosis.unusable(directory.path(), e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedServerException(
                    "Interrupted while the embedded server was starting.", e);
        } finally {
            if (started == null && lock != null) {
                quietly("give up the lock", lock::close);
            }
        }
    }

    private static EmbeddedServer start(ServerDirectory directory, ServerLock lock, Options options)
            throws IOException, InterruptedException {
        directory.tidy();
        ServerLauncher launcher = new ServerLauncher(directory, options, InstantSource.system());
        for (int attempt = 1; attempt <= PORT_ATTEMPTS; attempt++) {
            Address address = newAddress(directory, options.port());
            Optional<Running> running = Optional.empty();
            try {
                directory.writeConfig(config(address, options));
                running = launcher.start(address, Optional.of(options.startTimeout()));
            } finally {
                if (running.isEmpty()) {
                    quietly("remove the socket", () -> ServerDirectory.remove(address.socket()));
                }
            }
            if (running.isPresent()) {
                logReady(directory, running.get(), address, options);
                ServerKeeper keeper = new ServerKeeper(launcher, lock, address, running.get());
                keeper.start();
                return new EmbeddedServer(directory, address, lock, keeper);
            }
            if (options.port() != 0) {
                throw new EmbeddedServerException(ServerDiagnosis.portTaken(address.port()), null);
            }
        }
        throw new EmbeddedServerException(
                "The embedded server finds no free port from %d to %d."
                        .formatted(FIRST_PORT, LAST_PORT));
    }

    private static void logReady(
            ServerDirectory directory, Running running, Address address, Options options) {
        log.info(
                "Embedded server is ready. product={} version={} binary={} port={} socket={}"
                        + " directory={} fsync={}",
                running.binary().product().title(),
                running.binary().version(),
                running.binary().path(),
                address.port(),
                address.socket().map(Path::toString).orElse("none"),
                directory.path(),
                options.fsync());
    }

    /**
     * The address of a server that is running on this data directory, in whatever process; tried
     * out before it is given.
     *
     * @throws EmbeddedServerException when the directory cannot be read
     */
    public static Optional<Address> running(Path dataDir) {
        ServerDirectory directory = ServerDirectory.of(dataDir);
        try {
            return directory.published().filter(EmbeddedServer::answers);
        } catch (IOException e) {
            throw new EmbeddedServerException(ServerDiagnosis.unusable(directory.path(), e), e);
        }
    }

    /** Whether a server has ever kept its data in this directory; it is not created by asking. */
    public static boolean hasData(Path dataDir) {
        return Files.isDirectory(ServerDirectory.of(dataDir).path());
    }

    private static boolean answers(Address address) {
        try {
            return ServerTalk.exchange(address, ANSWER_TIMEOUT, "PING").equals(ServerTalk.PONG);
        } catch (IOException e) {
            return false;
        }
    }

    /** Where it listens, as long as it is not closed: a restart does not change it. */
    public Address address() {
        return address;
    }

    /** How to connect to it, over its socket where there is one. */
    public RedisOptions redisOptions() {
        Path socket = address.socket().orElse(null);
        return RedisOptions.of(
                new Endpoint(address.host(), address.port(), socket), address.password());
    }

    /**
     * A connection to it. Unlike one that only has the address, this one can say why the server
     * does not answer: a write that could not be sent is NotDone with the {@link ServerTrouble}.
     */
    public Redis connect(RedisOptions options) {
        Redis redis = Redis.open(options);
        redis.explainedBy(() -> state().trouble());
        return redis;
    }

    public ServerBinary binary() {
        return keeper.running().binary();
    }

    /** The process id of the server itself; another one after a restart. */
    public long pid() {
        return keeper.running().process().pid();
    }

    /** Whether the server process is there. */
    public boolean alive() {
        return keeper.running().process().alive();
    }

    /** How it is doing, as it was seen last: at once when it ends, within seconds otherwise. */
    public ServerState state() {
        return keeper.state();
    }

    /** Stops the server after it has written everything to the disk. */
    @Override
    public void close() {
        closing.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            keeper.close();
            quietly("remove its address", directory::withdraw);
            quietly("remove the socket", () -> ServerDirectory.remove(address.socket()));
            quietly("give up the lock", lock::close);
            log.info("Embedded server is stopped. directory={}", directory.path());
        } finally {
            closing.unlock();
        }
    }

    private static Address newAddress(ServerDirectory directory, int port) throws IOException {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return new Address(
                HOST,
                port == 0 ? freePort() : port,
                directory.newSocket(),
                USER,
                HexFormat.of().formatHex(secret));
    }

    private static int freePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.ofLiteral(HOST))) {
                return socket.getLocalPort();
            } catch (IOException e) {
                if (attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static String config(Address address, Options options) {
        List<String> lines = new ArrayList<>();
        lines.add("# Written anew at every start. Holds the password: keep it private.");
        lines.add("bind " + address.host());
        lines.add("port " + address.port());
        address.socket()
                .ifPresent(
                        path -> {
                            lines.add("unixsocket " + quoted(path.toString()));
                            lines.add("unixsocketperm 700");
                        });
        lines.add("requirepass " + address.password());
        // "dir" stays what it is, the working directory.
        lines.add("appendonly yes");
        boolean always = options.fsync() == AppendFsync.ALWAYS;
        lines.add("appendfsync " + (always ? "always" : "everysec"));
        // What a power cut left half-done is cut off by the launcher, which does it better.
        lines.add("aof-load-truncated no");
        lines.add("save \"\"");
        lines.add("maxmemory " + options.memory());
        lines.add("maxmemory-policy noeviction");
        // A backup asks for what a replica is sent, and need not wait for others to ask too.
        lines.add("repl-diskless-sync-delay 0");
        return String.join("\n", lines) + "\n";
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static void quietly(String purpose, Tidying tidying) {
        try {
            tidying.run();
        } catch (IOException e) {
            log.warn("Could not {} after the embedded server. cause={}", purpose, e.toString());
        }
    }

    private interface Tidying {
        void run() throws IOException;
    }
}
