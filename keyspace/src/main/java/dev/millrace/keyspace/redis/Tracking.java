package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Hears which keys under some prefixes are written, by whomever, on a connection of its own that
 * comes back by itself: client-side tracking in broadcast mode ({@code CLIENT TRACKING ON BCAST}).
 *
 * <p>The connection redirects the messages to itself and subscribes to the channel on which they
 * come. So it speaks the same protocol as all others here, and the server counts it among the
 * subscribers: one that does not read is cut off ({@code client-output-buffer-limit pubsub}) before
 * it costs the server much, and then everything is looked at again.
 *
 * <p>One thread reads; another one asks for a sign of life now and then, because a connection whose
 * other end has vanished would stay silent for hours.
 */
public final class Tracking implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tracking.class);
    private static final String CHANNEL = "__redis__:invalidate";
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A connection that stood for so long is followed by the next one after the first pause. */
    private static final long HEALTHY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final byte[][] PING = {Wire.ascii("PING")};

    /** Called on the connection's own thread, one call at a time; must be brief. */
    public interface Listener {
        void changed(List<String> keys);

        /**
         * Anything may have changed: it listens (again), or the whole database was emptied. What is
         * written from now on is told.
         */
        void everything();

        /** Nothing more will be told: it was closed, or the connection to Redis was. */
        void ended();
    }

    private final List<String> prefixes;
    private final Router router;
    private final Listener listener;
    private volatile @Nullable Wire wire;
    private volatile boolean closed;
    private long complainedAt = System.nanoTime() - COMPLAINT_NANOS;
    private final Thread thread;

    Tracking(Collection<String> prefixes, Router router, Listener listener) {
        this.prefixes = withoutOverlaps(prefixes);
        this.router = router;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("redis-tracking").start(this::run);
    }

    /** The server refuses a prefix that begins with another one. */
    private static List<String> withoutOverlaps(Collection<String> prefixes) {
        List<String> apart = new ArrayList<>();
        for (String prefix : prefixes.stream().distinct().sorted().toList()) {
            if (apart.isEmpty() || !prefix.startsWith(apart.getLast())) {
                apart.add(prefix);
            }
        }
        return apart;
    }

    /** Whether there is a connection: without one nothing is heard. */
    public boolean connected() {
        return wire != null;
    }

    private boolean ended() {
        return closed || router.shared.watchdog.closed();
    }

    private void run() {
        try {
            long pause = FIRST_PAUSE_NANOS;
            while (!ended()) {
                long began = System.nanoTime();
                RuntimeException why = listen();
                boolean healthy = System.nanoTime() - began > HEALTHY_NANOS;
                pause = healthy ? FIRST_PAUSE_NANOS : pause;
                if (!ended()) {
                    complain(why);
                    router.refreshSoon();
                    LockSupport.parkNanos(pause);
                }
                pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
            }
        } finally {
            listener.ended();
        }
    }

    /** Once for a while: it may try for hours. */
    private void complain(RuntimeException why) {
        long now = System.nanoTime();
        if (now - complainedAt > COMPLAINT_NANOS) {
            complainedAt = now;
            LOG.warn(
                    "Writes of others are not noticed at once. endpoint={} reason={}",
                    router.primaryOf(0),
                    why.getMessage());
        }
    }

    /** Opens a connection and listens until it is lost; returns why. */
    private RuntimeException listen() {
        Endpoint primary = router.primaryOf(0);
        try (Wire open = Wire.open(primary, router.shared.options, router.shared.watchdog)) {
            begin(open);
            Thread pinging = Thread.ofVirtual().name("redis-tracking-ping").start(() -> ping(open));
            wire = open;
            try {
                listener.everything();
                while (!ended()) {
                    open.expectWithin(SILENCE_NANOS);
                    hear(open.read());
                }
            } finally {
                // At once, not after the pause: whoever asks whether anything is heard must know.
                wire = null;
                pinging.interrupt();
            }
            return new IllegalStateException("It was closed.");
        } catch (RedisException | BrokenWireException e) {
            return e;
        }
    }

    private void begin(Wire open) {
        open.expectWithin(router.shared.answerNanos());
        List<String> command = new ArrayList<>();
        command.addAll(List.of("CLIENT", "TRACKING", "ON", "REDIRECT"));
        command.add(String.valueOf(answer(open, "CLIENT", "ID")));
        command.add("BCAST");
        for (String prefix : prefixes) {
            command.add("PREFIX");
            command.add(prefix);
        }
        answer(open, command.toArray(String[]::new));
        answer(open, "SUBSCRIBE", CHANNEL);
    }

    private static @Nullable Object answer(Wire open, String... command) {
        Object reply = open.exchange(command);
        if (reply instanceof ErrorReply error) {
            throw error.asException();
        }
        return reply;
    }

    private void hear(@Nullable Object push) {
        if (push instanceof ErrorReply error) {
            throw error.asException();
        }
        if (!(push instanceof List<?> parts)
                || parts.size() != 3
                || !"message".equals(Replies.text(parts.getFirst()))) {
            return; // a sign of life
        }
        if (parts.get(2) instanceof List<?> keys) {
            listener.changed(keys.stream().map(Replies::textOrEmpty).toList());
        } else {
            listener.everything();
        }
    }

    private static void ping(Wire open) {
        try {
            while (!Thread.interrupted()) {
                open.write(PING);
                open.flush();
                LockSupport.parkNanos(PING_NANOS);
            }
        } catch (BrokenWireException e) {
            // The reader will notice, and begin anew.
            open.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        Wire open = wire;
        if (open != null) {
            open.close();
        }
        LockSupport.unpark(thread);
    }
}
