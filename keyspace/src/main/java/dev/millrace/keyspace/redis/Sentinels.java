package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Topology;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Asks the sentinels which server is the primary: once a second, and at once when somebody has
 * noticed that the primary is gone. Asking is all: their announcements may be missed, an answer may
 * not. The sentinel asked last is asked again until it fails.
 */
final class Sentinels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sentinels.class);
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORT_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Endpoint> sentinels;
    private final String name;
    private final RedisOptions options;
    private final Watchdog watchdog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition poked = lock.newCondition();
    private boolean urgent;
    private volatile boolean closed;
    private int current;
    private @Nullable Wire wire;

    Sentinels(RedisOptions options, Topology.Sentinel topology, Watchdog watchdog) {
        this.sentinels = options.endpoints();
        this.name = topology.name();
        this.options = options.forSentinels(topology);
        this.watchdog = watchdog;
    }

    /**
     * The primary, from the first sentinel that answers.
     *
     * @throws RedisException when none does, or none knows a primary of this name
     */
    Endpoint primary() {
        RedisException failure =
                new RedisException(Reason.UNAVAILABLE, "None of the sentinels can be reached.");
        for (int i = 0; i < sentinels.size(); i++) {
            try {
                Optional<Endpoint> found = ask();
                if (found.isPresent()) {
                    return found.get();
                }
                failure =
                        new RedisException(
                                Reason.REFUSED,
                                "The sentinel at %s knows no primary that is called %s."
                                        .formatted(sentinels.get(current), name));
            } catch (RedisException e) {
                failure.addSuppressed(e);
                if (e.reason() == Reason.DENIED) {
                    throw e;
                }
            }
            drop();
            current = (current + 1) % sentinels.size();
        }
        throw failure;
    }

    private Optional<Endpoint> ask() {
        Endpoint sentinel = sentinels.get(current);
        try {
            Wire open = wire;
            if (open == null) {
                open = Wire.open(sentinel, options, watchdog);
                wire = open;
            }
            open.expectWithin(options.answerTime().toNanos());
            Object reply = open.exchange("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name);
            open.expectNothing();
            if (reply instanceof ErrorReply error) {
                throw error.asException();
            }
            return reply instanceof List<?> address && address.size() == 2
                    ? Optional.of(new Endpoint(text(address.get(0)), port(address.get(1))))
                    : Optional.empty();
        } catch (BrokenWireException e) {
            throw new RedisException(
                    Reason.UNAVAILABLE,
                    "The sentinel at " + sentinel + " gave no answer: " + e.getMessage(),
                    e);
        }
    }

    private static int port(@Nullable Object bytes) {
        return Integer.parseInt(text(bytes));
    }

    private static String text(@Nullable Object bytes) {
        return bytes instanceof byte[] raw ? new String(raw, StandardCharsets.UTF_8) : "";
    }

    /** What keeps each of them from bringing about a failover; nothing if it can. */
    Map<Endpoint, String> views() {
        Map<Endpoint, String> views = new LinkedHashMap<>();
        for (Endpoint sentinel : sentinels) {
            try (Wire asking = Wire.open(sentinel, options, watchdog)) {
                asking.expectWithin(options.answerTime().toNanos());
                Object reply = asking.exchange("SENTINEL", "CKQUORUM", name);
                views.put(sentinel, reply instanceof ErrorReply error ? error.message() : "");
            } catch (RedisException | BrokenWireException e) {
                views.put(sentinel, String.valueOf(e.getMessage()));
            }
        }
        return views;
    }

    /** Goes on asking, and tells what it hears. */
    void watch(Consumer<Endpoint> listener) {
        Thread.ofVirtual().name("redis-sentinels").start(() -> run(listener));
    }

    private void run(Consumer<Endpoint> listener) {
        boolean reached = true;
        while (pause()) {
            try {
                listener.accept(primary());
                reached = true;
            } catch (RedisException e) {
                if (reached && !closed) {
                    LOG.warn("No sentinel names the primary. reason={}", e.getMessage());
                }
                reached = false;
            }
        }
        drop();
    }

    /** Until it is time to ask again; false when there is nobody left to tell. */
    private boolean pause() {
        lock.lock();
        try {
            long left = STEP_NANOS;
            while (!closed && left > (urgent ? STEP_NANOS - SHORT_STEP_NANOS : 0)) {
                left = poked.awaitNanos(left);
            }
            urgent = false;
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            lock.unlock();
        }
        return !closed;
    }

    /** Somebody has noticed that the primary is gone. */
    void askSoon() {
        lock.lock();
        try {
            urgent = true;
            poked.signal();
        } finally {
            lock.unlock();
        }
    }

    private void drop() {
        Wire open = wire;
        if (open != null) {
            open.close();
            wire = null;
        }
    }

    @Override
    public void close() {
        closed = true;
        askSoon();
    }
}
