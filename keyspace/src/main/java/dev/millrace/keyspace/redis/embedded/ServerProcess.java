package dev.millrace.keyspace.redis.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A running server and the small shell that is its parent. The shell ends the server when this
 * process ends, in whatever way, and server and shell together hold the lock that keeps a second
 * server off the directory; the script {@code ServerProcess.parent.sh} says how.
 */
final class ServerProcess {

    private static final String SCRIPT = "ServerProcess.parent.sh";

    /** The script's word for: another server still holds the lock. */
    private static final int LOCKED = 75;

    /** The script gives the server ten seconds to end by itself; this comes after. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(20);

    /** Only where the shell was killed and a process has to be watched that is not our child. */
    private static final Duration POLL = Duration.ofMillis(50);

    private static final int TAIL_BYTES = 8192;
    private static final int TAIL_LINES = 20;

    private final Process parent;
    private final long pid;
    private final Optional<ProcessHandle> server;
    private final Path logFile;
    private final long logStart;

    /** Whether somebody killed the shell and not the server. */
    private volatile boolean shellLost;

    private ServerProcess(Process parent, long pid, Path logFile, long logStart) {
        this.parent = parent;
        this.pid = pid;
        this.server = ProcessHandle.of(pid);
        this.logFile = logFile;
        this.logStart = logStart;
    }

    /**
     * Starts the server on a directory that has its configuration; empty when a server of an
     * earlier run is still there.
     */
    static Optional<ServerProcess> start(Path server, ServerDirectory directory)
            throws IOException, InterruptedException {
        Path script = directory.parentScript();
        Path logFile = directory.log();
        writeScript(directory.parentScript());
        long logStart = Files.exists(logFile) ? Files.size(logFile) : 0;
        Process parent =
                new ProcessBuilder(
                                "sh",
                                script.toString(),
                                server.toString(),
                                directory.config().toString(),
                                directory.serverLock().toString())
                        .directory(directory.path().toFile())
                        .redirectError(ProcessBuilder.Redirect.appendTo(logFile.toFile()))
                        .start();
        String line = firstLine(parent);
        if (!line.isEmpty()) {
            return Optional.of(new ServerProcess(parent, Long.parseLong(line), logFile, logStart));
        }
        int code = parent.waitFor();
        if (code == LOCKED) {
            return Optional.empty();
        }
        throw new EmbeddedServerException(
                "The shell that runs the embedded server ended with code "
                        + code
                        + ":\n"
                        + tail(logFile, logStart));
    }

    private static void writeScript(Path script) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ServerProcess.class.getResourceAsStream(SCRIPT))) {
            byte[] text = in.readAllBytes();
            // A full disk must not make half a script of a whole one.
            if (!Files.exists(script) || !Arrays.equals(text, Files.readAllBytes(script))) {
                Files.write(script, text);
            }
        }
    }

    private static String firstLine(Process parent) throws IOException {
        BufferedReader reader = parent.inputReader(StandardCharsets.US_ASCII);
        String line = reader.readLine();
        return line == null ? "" : line;
    }

    long pid() {
        return pid;
    }

    /** Looks at both, since the server lives on for a while if somebody kills the shell. */
    boolean alive() {
        return parent.isAlive() || server.filter(ProcessHandle::isAlive).isPresent();
    }

    /** The server's exit code; empty while it runs, and when the shell did not live to tell it. */
    OptionalInt code() {
        return parent.isAlive() || shellLost
                ? OptionalInt.empty()
                : OptionalInt.of(parent.exitValue());
    }

    /** Whether the server ended within this time. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        if (!parent.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        while (alive()) {
            shellLost = true;
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }

    /** Ends the server, kindly if it listens; returns when it is gone. */
    void end() {
        try {
            parent.getOutputStream().close();
        } catch (IOException e) {
            // The shell is gone, which is what closing its input was for.
        }
        try {
            if (awaitEnd(END_TIMEOUT)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // A handle knows when its process started, so this cannot hit another one with its id.
        server.ifPresent(ProcessHandle::destroyForcibly);
        parent.destroyForcibly();
        parent.onExit().join();
    }

    /** The last lines that this server, not one before it, wrote to its log. */
    String logTail() {
        return tail(logFile, logStart);
    }

    private static String tail(Path file, long from) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            log.seek(Math.max(from, log.length() - TAIL_BYTES));
            byte[] bytes = new byte[TAIL_BYTES];
            int length = Math.max(0, log.read(bytes));
            String[] lines = new String(bytes, 0, length, StandardCharsets.UTF_8).split("\\R");
            int first = Math.max(0, lines.length - TAIL_LINES);
            return String.join("\n", Arrays.asList(lines).subList(first, lines.length));
        } catch (IOException e) {
            return "(its log cannot be read: " + e.getMessage() + ")";
        }
    }
}
