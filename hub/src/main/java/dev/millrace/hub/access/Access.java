package dev.millrace.hub.access;

import dev.millrace.hub.work.Beat;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Everything about access, made once for a hub. One thread looks every second whether others have
 * made or revoked tokens, so that a revocation holds at all hubs of a site within two seconds (at
 * the one that was asked, at once); and every minute it writes down the last use of tokens and how
 * many were refused. Thread-safe.
 */
public final class Access implements AutoCloseable {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final long CHORES_NANOS = Duration.ofMinutes(1).toNanos();
    private static final Actor HUB = new Actor("hub", "gate");
    private static final Logger log = LoggerFactory.getLogger(Access.class);

    private final Audit audit;
    private final Tokens tokens;
    private final Gate gate;
    private final Refusals refusals = new Refusals();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread watch;
    private boolean reached = true;

    private Access(Keyspace keyspace, AccessSettings settings) {
        this.audit = new Audit(keyspace);
        this.tokens = new Tokens(keyspace, audit, Clock.systemUTC(), System::nanoTime);
        Guesses guesses =
                new Guesses(settings.freeAttempts(), settings.longestDelay(), System::nanoTime);
        this.gate = new Gate(settings, tokens, guesses, refusals);
        this.watch = Thread.ofVirtual().name("access").unstarted(this::watch);
    }

    /**
     * Reads the tokens and begins to watch them. A Redis that is away is no reason not to begin.
     */
    public static Access open(Keyspace keyspace, AccessSettings settings) {
        Access access = new Access(keyspace, settings);
        access.look();
        access.watch.start();
        return access;
    }

    public Gate gate() {
        return gate;
    }

    public Tokens tokens() {
        return tokens;
    }

    public Audit audit() {
        return audit;
    }

    private void watch() {
        long chores = System.nanoTime();
        try {
            while (!closed.await(Beat.within(LOOK).toNanos(), TimeUnit.NANOSECONDS)) {
                look();
                if (reached && System.nanoTime() - chores > CHORES_NANOS) {
                    chores = System.nanoTime();
                    doChores();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            tokens.refresh();
            reached = true;
        } catch (RedisException e) {
            if (reached) {
                log.warn("Tokens cannot be looked up. reason={}", e.getMessage());
            }
            reached = false;
        } catch (RuntimeException e) {
            // Without this thread no revocation would be seen any more.
            log.error("Tokens could not be read. reason={}", e.toString());
        }
    }

    private void doChores() {
        try {
            tokens.keepLastUse();
            refusals.take().ifPresent(text -> audit.record(HUB, "tokens refused", text, "refused"));
        } catch (RuntimeException e) {
            log.warn("The last use of tokens could not be stored. reason={}", e.toString());
        }
    }

    /** Ends the watching, and writes down what is left. */
    @Override
    public void close() {
        closed.countDown();
        try {
            watch.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (reached) {
            doChores();
        }
    }
}
