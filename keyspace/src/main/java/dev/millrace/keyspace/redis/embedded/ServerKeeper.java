package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.embedded.ServerLauncher.Running;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Watches a running server and starts it again when it ends by itself: on the same directory, port
 * and socket, with the same password, so that every connection finds it again. Between attempts it
 * pauses, longer each time ({@link BackOff}); it never gives up, since disks get room and files get
 * mended while the program is running.
 *
 * <p>A server that is there but does not answer is reported and left alone. Killing it would help
 * in few cases (a script that never ends) and harm in others: a stalled disk does not get faster by
 * loading everything again.
 *
 * <p>One virtual thread does all of it; {@link #close} interrupts it, wherever it is.
 */
final class ServerKeeper implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ServerKeeper.class);

    /** How often a running server is asked how it is. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** Like the answer time of a connection: who is slower than this is missed by others too. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

    /** How long SHUTDOWN may take before we become less polite. Nothing is lost by that. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    /** Attempts that are worth a line each; later ones only when the reason changes. */
    private static final int TOLD_ATTEMPTS = 10;

    private final ServerLauncher launcher;
    private final ServerLock lock;
    private final Address address;
    private final BackOff backOff = new BackOff();
    private final Thread thread;
    private volatile Running running;
    private volatile ServerState state;
    private volatile boolean closing;

    ServerKeeper(ServerLauncher launcher, ServerLock lock, Address address, Running running) {
        this.launcher = launcher;
        this.lock = lock;
        this.address = address;
        this.running = running;
        this.state = new ServerState.Running(now());
        this.thread = Thread.ofVirtual().name("embedded-server-keeper").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Running running() {
        return running;
    }

    ServerState state() {
        return state;
    }

    private Instant now() {
        return launcher.clock().instant();
    }

    private void run() {
        try {
            while (true) {
                awaitEnd();
                restart(whyItEnded());
            }
        } catch (InterruptedException e) {
            log.debug("The embedded server is no longer watched.");
        }
    }

    /** Looks at the server now and then until it has ended. */
    private void awaitEnd() throws InterruptedException {
        long start = System.nanoTime();
        while (!running.process().awaitEnd(LOOK)) {
            become(look());
            backOff.healthy(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private ServerState look() {
        String reply;
        try {
            reply = ServerTalk.exchange(address, ANSWER_TIMEOUT, "PING");
        } catch (IOException e) {
            reply = String.valueOf(e.getMessage());
        }
        if (reply.equals(ServerTalk.PONG)) {
            return new ServerState.Running(now());
        }
        if (reply.startsWith("-MISCONF")) {
            return new ServerState.NoWrites(
                    now(),
                    ServerTrouble.full(
                            "The embedded server cannot write to its disk and takes no writes"
                                    + " until it can: "
                                    + reply.substring(1)));
        }
        return new ServerState.NoAnswer(
                now(),
                ServerTrouble.unavailable(
                                "The embedded server is there (process %d) but does not answer: %s."
                                        .formatted(running.process().pid(), reply))
                        .withLastWords(running.process().logTail()));
    }

    private void become(ServerState next) {
        if (closing || !running.process().alive() || next.getClass().equals(state.getClass())) {
            return;
        }
        state = next;
        Optional<ServerTrouble> trouble = next.trouble();
        if (trouble.isPresent()) {
            log.warn("{}", trouble.get());
        } else {
            log.info(
                    "The embedded server is well again. directory={}", launcher.directory().path());
        }
    }

    private ServerTrouble whyItEnded() {
        Running ended = running;
        // Closes the pipe to the shell, and with it a watcher whose shell was killed.
        ended.process().end();
        return ServerDiagnosis.ended(
                launcher.directory(),
                ended.binary(),
                ended.process().code(),
                ended.process().logTail());
    }

    private void restart(ServerTrouble firstTrouble) throws InterruptedException {
        Instant since = now();
        ServerTrouble trouble = firstTrouble;
        String told = "";
        for (int attempt = 1; ; attempt++) {
            state = new ServerState.Restarting(since, attempt, trouble);
            Duration pause = backOff.next();
            if (!trouble.sentence().equals(told)) {
                log.warn("{}", trouble);
                told = trouble.sentence();
            }
            if (attempt <= TOLD_ATTEMPTS) {
                log.info(
                        "The embedded server is started again in {} ms. attempt={}",
                        pause.toMillis(),
                        attempt);
            }
            Thread.sleep(pause);
            try {
                Optional<Running> next = attempt();
                if (next.isPresent()) {
                    running = next.get();
                    state = new ServerState.Running(now());
                    log.info("The embedded server is back. pid={}", running.process().pid());
                    return;
                }
                trouble = ServerDiagnosis.portTaken(address.port());
            } catch (EmbeddedServerException e) {
                trouble = e.trouble();
            } catch (RuntimeException e) {
                log.error("A restart failed by a programming error.", e);
                trouble = ServerTrouble.unavailable("The embedded server was not started: " + e);
            }
        }
    }

    private Optional<Running> attempt() throws InterruptedException {
        if (!lock.holds()) {
            throw new EmbeddedServerException(
                    ServerDiagnosis.gone(launcher.directory().path()), null);
        }
        // However long it takes to load: a server that is ended half-way never gets there.
        return launcher.start(address, Optional.empty());
    }

    /** Stops the server, or the attempts to start it again; returns when nothing is left. */
    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        awaitThread();
        ServerProcess process = running.process();
        if (process.alive()) {
            if (state instanceof ServerState.NoWrites) {
                log.warn("What the embedded server could not write to its disk is lost.");
            }
            shutDown(process);
        }
        process.end();
        state = new ServerState.Stopped(now());
    }

    private void awaitThread() {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void shutDown(ServerProcess process) {
        try {
            // No answer but the end of the connection means that it obeys. NOSAVE is about a
            // snapshot; the append-only file is written and synced all the same.
            String reply = ServerTalk.exchange(address, SHUTDOWN_TIMEOUT, "SHUTDOWN NOSAVE");
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
}
