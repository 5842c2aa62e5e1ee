package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Listens on channels, on a connection of its own that comes back by itself, in a cluster to
 * another node if the first is gone: each of them passes on every message. Channels come and go
 * while it listens. Redis keeps no messages for a listener that is away, so {@link
 * Listener#listening} is called for a channel as soon as its messages arrive (again): whoever must
 * not miss anything looks at the stored state then.
 *
 * <p>One thread reads; another one writes, so that {@link #listen} and {@link #leave} never wait.
 * It also asks for a sign of life now and then: a connection whose other end has vanished would
 * stay silent for hours.
 */
public final class Subscription implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final long PAUSE_NANOS = 200_000_000;
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PING_SECONDS = 5;
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** As many in one command: an answer to all of them at once would be large. */
    private static final int MOST_AT_ONCE = 512;

    private static final byte[] SUBSCRIBE = Wire.ascii("SUBSCRIBE");
    private static final byte[] UNSUBSCRIBE = Wire.ascii("UNSUBSCRIBE");
    private static final byte[][] PING = {Wire.ascii("PING")};

    /**
     * Called on the subscription's own thread, one call at a time. What it throws is logged; the
     * subscription goes on.
     */
    public interface Listener {
        void message(String channel, byte[] body);

        /** Listening to this channel (again): messages of the time before were missed. */
        void listening(String channel);
    }

    private record Change(boolean comes, String channel) {}

    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
    private final Router router;
    private final Listener listener;
    private volatile @Nullable Wire wire;
    private long complainedAt = System.nanoTime() - COMPLAINT_NANOS;
    private volatile boolean closed;

    Subscription(List<String> channels, Router router, Listener listener) {
        this.wanted.addAll(channels);
        this.router = router;
        this.listener = listener;
        Thread.ofVirtual().name("redis-subscription").start(this::run);
    }

    /** Begins to listen to this channel; {@link Listener#listening} says when it does. */
    public void listen(String channel) {
        if (wanted.add(channel) && connected()) {
            changes.add(new Change(true, channel));
        }
    }

    public void leave(String channel) {
        if (wanted.remove(channel) && connected()) {
            changes.add(new Change(false, channel));
        }
    }

    /** Whether there is a connection: without one nothing is heard. */
    public boolean connected() {
        return wire != null;
    }

    private void run() {
        for (int attempt = 0; !ended(); attempt++) {
            List<Endpoint> nodes = router.primaries();
            Endpoint endpoint = nodes.get(attempt % nodes.size());
            try (Wire open = Wire.open(endpoint, router.shared.options, router.shared.watchdog)) {
                listen(open);
            } catch (RedisException | BrokenWireException e) {
                if (!ended()) {
                    complain(endpoint, e);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    /** Once for a while: it may try for hours. */
    private void complain(Endpoint endpoint, RuntimeException why) {
        long now = System.nanoTime();
        if (now - complainedAt > COMPLAINT_NANOS) {
            complainedAt = now;
            LOG.warn(
                    "A subscription was interrupted. endpoint={} reason={}",
                    endpoint,
                    why.getMessage());
        }
    }

    private boolean ended() {
        return closed || router.shared.watchdog.closed();
    }

    private void listen(Wire open) {
        // What changes while there is no connection is only wanted, or the queue would grow for
        // hours. What changes from now on may be said twice by the writer, which does no harm.
        changes.clear();
        wire = open;
        open.expectWithin(SILENCE_NANOS);
        Thread writer =
                Thread.ofVirtual()
                        .name("redis-subscription-writer")
                        .start(() -> write(open, List.copyOf(wanted)));
        try {
            while (!ended()) {
                hear(open.read());
                open.expectWithin(SILENCE_NANOS);
            }
        } finally {
            // At once, not after the pause: whoever asks whether anything is heard must know.
            wire = null;
            writer.interrupt();
        }
    }

    private void hear(@Nullable Object push) {
        if (push instanceof ErrorReply error) {
            throw error.asException();
        }
        if (push instanceof List<?> parts
                && parts.size() == 3
                && parts.get(1) instanceof byte[] name) {
            String kind = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
            String channel = new String(name, StandardCharsets.UTF_8);
            if (kind.equals("subscribe")) {
                tell(() -> listener.listening(channel), channel);
            } else if (kind.equals("message")) {
                tell(() -> listener.message(channel, (byte[]) parts.get(2)), channel);
            }
        }
    }

    private static void tell(Runnable call, String channel) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.error("A listener failed. channel={}", channel, e);
        }
    }

    // ---------------------------------------------------------------- writing

    private void write(Wire open, List<String> first) {
        try {
            for (int from = 0; from < first.size(); from += MOST_AT_ONCE) {
                int to = Math.min(first.size(), from + MOST_AT_ONCE);
                open.write(command(SUBSCRIBE, first.subList(from, to)));
            }
            open.write(PING);
            open.flush();
            List<Change> batch = new ArrayList<>();
            while (!ended()) {
                Change change = changes.poll(PING_SECONDS, TimeUnit.SECONDS);
                if (change == null) {
                    open.write(PING);
                } else {
                    batch.add(change);
                    changes.drainTo(batch, MOST_AT_ONCE);
                    write(open, batch.iterator());
                    batch.clear();
                }
                open.flush();
            }
        } catch (BrokenWireException e) {
            // The reader will notice, and begin anew.
            open.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Neighbours of one kind travel in one command, in the order in which they were wanted. */
    private static void write(Wire open, Iterator<Change> batch) {
        List<String> run = new ArrayList<>();
        boolean comes = true;
        while (batch.hasNext()) {
            Change change = batch.next();
            if (change.comes() != comes && !run.isEmpty()) {
                open.write(command(comes ? SUBSCRIBE : UNSUBSCRIBE, run));
                run.clear();
            }
            comes = change.comes();
            run.add(change.channel());
        }
        open.write(command(comes ? SUBSCRIBE : UNSUBSCRIBE, run));
    }

    private static byte[][] command(byte[] verb, List<String> channels) {
        byte[][] command = new byte[channels.size() + 1][];
        command[0] = verb;
        for (int i = 0; i < channels.size(); i++) {
            command[i + 1] = channels.get(i).getBytes(StandardCharsets.UTF_8);
        }
        return command;
    }

    @Override
    public void close() {
        closed = true;
        Wire open = wire;
        if (open != null) {
            open.close();
        }
    }
}
