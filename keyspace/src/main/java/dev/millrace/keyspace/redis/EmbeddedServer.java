package dev.millrace.keyspace.redis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * A real Redis or Valkey server as a child of this process, with its data in {@code dataDir/redis}:
 * append-only file, loopback port and unix socket, a new password at every start.
 *
 * <p>It lives exactly as long as we do. {@link #close} stops it in order; if we are killed, its
 * parent shell stops it ({@link ServerProcess}). An orphan is never taken over: the next start
 * waits until it is gone. There is one server per directory, ever ({@link ServerLock}). What was
 * acknowledged is with the kernel and survives {@code kill -9} of the server; what survives a power
 * cut is decided by {@link AppendFsync}.
 *
 * <p>While it runs, {@code dataDir/redis/server.properties} tells other processes of the same user
 * how to reach it ({@link #running}). The server is not restarted when it dies by itself.
 *
 * <p>Safe for use by several threads.
 */
public final class EmbeddedServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);

    static final String HOST = "127.0.0.1";
    private static final String USER = "default";

    /** How long an earlier server may take to end after its hub was killed: the script needs 10. */
    private static final Duration ORPHAN_TIMEOUT = Duration.ofSeconds(30);

    /** How long SHUTDOWN may take before we become less polite. Nothing is lost by that. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration ORPHAN_POLL = Duration.ofMillis(100);

    /** A free port may be taken by somebody before the server gets there. */
    private static final int PORT_ATTEMPTS = 5;

    /** As glibc says it, and as musl does. */
    private static final Pattern PORT_TAKEN = Pattern.compile("Address (already )?in use");

    private final ServerDirectory directory;
    private final ServerBinary binary;
    private final ServerProcess process;
    private final Address address;
    private final ServerLock lock;
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    private EmbeddedServer(
            ServerDirectory directory,
            ServerBinary binary,
            ServerProcess process,
            Address address,
            ServerLock lock) {
        this.directory = directory;
        this.binary = binary;
        this.process = process;
        this.address = address;
        this.lock = lock;
    }

    /** When the append-only file reaches the disk. */
    public enum AppendFsync {
        /** Once a second: a power cut may take the last second or two with it. */
        EVERYSEC,
        /** Before each answer. */
        ALWAYS
    }

    /**
     * How to start.
     *
     * @param binary a server program, instead of the one that {@link ServerBinary} would find
     * @param port a port on the loopback address, or 0 for a free one
     * @param startTimeout how long the server may take to load its data
     */
    public record Options(
            Optional<Path> binary, int port, AppendFsync fsync, Duration startTimeout) {

        public Options {
            if (port < 0 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not in 0 to 65535");
            }
            if (!startTimeout.isPositive()) {
                throw new IllegalArgumentException("startTimeout must be positive");
            }
        }

        /** A program that is found, a free port, everysec, and time to load some ten GB. */
        public static Options defaults() {
            return new Options(Optional.empty(), 0, AppendFsync.EVERYSEC, Duration.ofMinutes(5));
        }

        public Options withBinary(Path value) {
            return new Options(Optional.of(value), port, fsync, startTimeout);
        }

        public Options withPort(int value) {
            return new Options(binary, value, fsync, startTimeout);
        }

        public Options withFsync(AppendFsync value) {
            return new Options(binary, port, value, startTimeout);
        }

        public Options withStartTimeout(Duration value) {
            return new Options(binary, port, fsync, value);
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
            throw new EmbeddedServerException(
                    "The embedded server cannot use " + directory.path() + ": " + e, e);
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
        ServerBinary binary = ServerBinary.find(options.binary(), directory.binaries());
        directory.tidy();
        long deadline = System.nanoTime() + options.startTimeout().toNanos();
        for (int attempt = 1; ; attempt++) {
            Address address = newAddress(directory, options.port());
            ServerProcess process = null;
            boolean started = false;
            try {
                directory.writeConfig(config(address, options.fsync()));
                process = launch(binary, directory);
                if (awaitReady(process, address, deadline)) {
                    directory.publish(address, process.pid(), binary.version());
                    started = true;
                    logReady(directory, binary, address, options);
                    return new EmbeddedServer(directory, binary, process, address, lock);
                }
            } finally {
                if (!started) {
                    if (process != null) {
                        process.end();
                    }
                    quietly("remove the socket", () -> ServerDirectory.remove(address.socket()));
                }
            }
            String lastWords = process.logTail();
            boolean portTaken = PORT_TAKEN.matcher(lastWords).find();
            if (portTaken && options.port() != 0) {
                throw new EmbeddedServerException(
                        "The embedded server cannot listen on port "
                                + address.port()
                                + ", which is in use. Free it, or set redis.embedded.port=0.");
            }
            if (!portTaken || attempt == PORT_ATTEMPTS) {
                throw new EmbeddedServerException(
                        "The embedded server ended while it was starting. Its last words:\n"
                                + lastWords);
            }
        }
    }

    private static void logReady(
            ServerDirectory directory, ServerBinary binary, Address address, Options options) {
        log.info(
                "Embedded server is ready. product={} version={} binary={} port={} socket={}"
                        + " directory={} fsync={}",
                binary.product().title(),
                binary.version(),
                binary.path(),
                address.port(),
                address.socket().map(Path::toString).orElse("none"),
                directory.path(),
                options.fsync());
    }

    /** Waits for the server of a hub that was killed, should there be one, and starts ours. */
    private static ServerProcess launch(ServerBinary binary, ServerDirectory directory)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + ORPHAN_TIMEOUT.toNanos();
        for (int attempt = 1; ; attempt++) {
            Optional<ServerProcess> process = ServerProcess.start(binary.path(), directory);
            if (process.isPresent()) {
                return process.get();
            }
            if (attempt == 1) {
                log.info("Waiting for a server of an earlier run. directory={}", directory.path());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new EmbeddedServerException(
                        "A server of an earlier run still uses "
                                + directory.path()
                                + " and does not end. The command fuser "
                                + directory.serverLock()
                                + " shows its process id; stop it, then start again.");
            }
            Thread.sleep(ORPHAN_POLL);
        }
    }

    /** Whether the server answers; false when it ended by itself. */
    private static boolean awaitReady(ServerProcess process, Address address, long deadline)
            throws InterruptedException {
        String last = "no answer";
        while (process.alive()) {
            try {
                // Somebody else's server on that port would not accept this password.
                last = exchange(address, ANSWER_TIMEOUT, "PING");
                if (last.equals("+PONG")) {
                    return true;
                }
            } catch (IOException notYet) {
                last = notYet.toString();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new EmbeddedServerException(
                        "The embedded server is not ready in time ("
                                + last
                                + "). Its last words:\n"
                                + process.logTail());
            }
            Thread.sleep(POLL);
        }
        return false;
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
            throw new EmbeddedServerException(
                    "Cannot see whether a server is running in " + directory.path() + ": " + e, e);
        }
    }

    /** Whether a server has ever kept its data in this directory; it is not created by asking. */
    public static boolean hasData(Path dataDir) {
        return Files.isDirectory(ServerDirectory.of(dataDir).path());
    }

    private static boolean answers(Address address) {
        try {
            return exchange(address, ANSWER_TIMEOUT, "PING").equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }

    public Address address() {
        return address;
    }

    public ServerBinary binary() {
        return binary;
    }

    /** The process id of the server itself. */
    public long pid() {
        return process.pid();
    }

    /** Whether the server process is there. */
    public boolean alive() {
        return process.alive();
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
            quietly("remove its address", directory::withdraw);
            if (process.alive()) {
                shutDown();
            }
            process.end();
            quietly("remove the socket", () -> ServerDirectory.remove(address.socket()));
            quietly("give up the lock", lock::close);
            log.info("Embedded server is stopped. directory={}", directory.path());
        } finally {
            closing.unlock();
        }
    }

    private void shutDown() {
        try {
            // No answer but the end of the connection means that it obeys. NOSAVE is about a
            // snapshot; the append-only file is written and synced all the same.
            String reply = exchange(address, SHUTDOWN_TIMEOUT, "SHUTDOWN NOSAVE");
            if (!reply.isEmpty()) {
                log.warn("The embedded server refuses to shut down. reply={}", reply);
            } else if (!process.awaitEnd(SHUTDOWN_TIMEOUT)) {
                log.warn("The embedded server is slow to shut down. pid={}", process.pid());
            }
        } catch (IOException e) {
            log.warn("The embedded server does not answer SHUTDOWN. cause={}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Sends AUTH, then a command that needs no quoting, and gives the first line of its reply;
     * empty when the server hangs up instead. Enough to start and stop a server, and no client.
     */
    private static String exchange(Address address, Duration timeout, String command)
            throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), millis);
            socket.setSoTimeout(millis);
            BufferedReader reader =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String auth = "AUTH " + address.user() + " " + address.password();
            // One after the other: a server that shuts down does not send what is still waiting.
            String authenticated = ask(socket, reader, auth);
            if (!authenticated.equals("+OK")) {
                throw new IOException("AUTH was answered with " + authenticated);
            }
            return ask(socket, reader, command);
        }
    }

    private static String ask(Socket socket, BufferedReader reader, String command)
            throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
        String reply = reader.readLine();
        return reply == null ? "" : reply;
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
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(HOST))) {
            return socket.getLocalPort();
        }
    }

    private static String config(Address address, AppendFsync fsync) {
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
        lines.add("appendfsync " + (fsync == AppendFsync.ALWAYS ? "always" : "everysec"));
        lines.add("save \"\"");
        lines.add("maxmemory-policy noeviction");
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
