package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * One attempt to start a server on a directory that is locked and has its configuration. The
 * program is looked for at every attempt, since an upgrade of the system may have replaced it.
 */
record ServerLauncher(ServerDirectory directory, Options options, InstantSource clock) {

    private static final Logger log = LoggerFactory.getLogger(ServerLauncher.class);

    /**
     * How long an earlier server may take to end after its program was killed: the script needs 10.
     */
    private static final Duration ORPHAN_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration ORPHAN_POLL = Duration.ofMillis(100);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

    /** What the server says when its file ends in the middle of a write, as after a power cut. */
    private static final String HALF_A_WRITE = "Unexpected end of file reading the append only";

    /** A server that answers. */
    record Running(ServerBinary binary, ServerProcess process) {}

    /**
     * Starts the server and waits until it has loaded its data.
     *
     * @param timeout how long it may take, or empty for as long as its process lives
     * @return empty when somebody else listens on its port
     * @throws EmbeddedServerException when it cannot be started; then no process is left
     */
    Optional<Running> start(Address address, Optional<Duration> timeout)
            throws InterruptedException {
        return start(address, timeout, true);
    }

    private Optional<Running> start(Address address, Optional<Duration> timeout, boolean mayMend)
            throws InterruptedException {
        ServerProcess process = null;
        boolean ready = false;
        try {
            directory.needRoom();
            directory.turnLog();
            directory.prepareSocket(address);
            Optional<ServerVersion> writer = directory.lastWriter();
            ServerBinary binary = ServerBinary.find(options.binary(), directory.binaries(), writer);
            process = launch(binary);
            ready = awaitReady(process, address, timeout);
            if (ready) {
                record(writer, binary.writer());
                directory.publish(address, process.pid(), binary.version());
                return Optional.of(new Running(binary, process));
            }
            String lastWords = process.logTail();
            if (ServerDiagnosis.portTaken(lastWords)) {
                return Optional.empty();
            }
            if (mayMend && lastWords.contains(HALF_A_WRITE)) {
                takeOffHalfAWrite(binary);
                return start(address, timeout, false);
            }
            throw new EmbeddedServerException(
                    ServerDiagnosis.ended(directory, binary, process.code(), lastWords), null);
        } catch (IOException e) {
            ready = false;
            throw new EmbeddedServerException(ServerDiagnosis.unusable(directory.path(), e), e);
        } finally {
            if (!ready && process != null) {
                process.end();
            }
        }
    }

    /** Waits for the server of a program that was killed, should there be one, and starts ours. */
    private ServerProcess launch(ServerBinary binary) throws IOException, InterruptedException {
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
    private static boolean awaitReady(
            ServerProcess process, Address address, Optional<Duration> timeout)
            throws InterruptedException {
        long start = System.nanoTime();
        String last = "no answer";
        while (process.alive()) {
            try {
                last = ServerTalk.exchange(address, ANSWER_TIMEOUT, "PING");
                if (last.equals(ServerTalk.PONG)) {
                    return true;
                }
            } catch (IOException notYet) {
                last = notYet.toString();
            }
            if (timeout.isPresent() && System.nanoTime() - start > timeout.get().toNanos()) {
                throw new EmbeddedServerException(
                        ServerTrouble.unavailable(
                                        "The embedded server is not ready in time (" + last + ").")
                                .withLastWords(process.logTail()),
                        null);
            }
            Thread.sleep(POLL);
        }
        return false;
    }

    /** Before anybody can have sent a write. */
    private void record(Optional<ServerVersion> before, ServerVersion now) throws IOException {
        if (before.isPresent() && before.get().equals(now)) {
            return;
        }
        directory.recordWriter(now, clock.instant());
        if (before.isPresent()) {
            log.info(
                    "The data were written by {} and are written by {} from now on; what cannot"
                            + " read that is refused. directory={}",
                    before.get(),
                    now,
                    directory.path());
        }
    }

    /**
     * Cuts the append-only file back to its last whole write. The server could do that itself
     * ({@code aof-load-truncated}), but only up to its last whole command: of a commit whose end is
     * missing it leaves the beginning, does not load it, and appends what comes next. The start
     * after that takes both for one (mended in Valkey by its pull request 4342), and half a commit
     * has come true. The tool cuts where the commit begins.
     */
    private void takeOffHalfAWrite(ServerBinary binary) throws IOException, InterruptedException {
        Process tool =
                new ProcessBuilder(
                                directory.checkTool(binary).toString(),
                                "--fix",
                                directory.manifest().toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
                        .start();
        try (Writer answer = tool.outputWriter(StandardCharsets.US_ASCII)) {
            answer.write("y\n");
        } catch (IOException e) {
            // It has ended without asking, and the next start says what is the matter.
            log.debug("The tool did not ask.", e);
        }
        try {
            tool.waitFor();
        } finally {
            tool.destroyForcibly();
        }
        log.warn(
                "The append-only file ended in the middle of a write, as it does after a power cut."
                        + " That write was not acknowledged under fsync, and is gone. directory={}",
                directory.path());
    }
}
