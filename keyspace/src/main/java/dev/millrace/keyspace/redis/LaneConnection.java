package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connection of a lane to its primary, and those to nodes where slots are on their way to
 * (detours). It is opened when there is something to send, tried before use when it was idle, and
 * opened again after a pause when it broke.
 *
 * <p>A new connection first ends the one that broke before it on the server: what is still on its
 * way there must not arrive after what follows.
 *
 * <p>For the lane's worker only, apart from {@link #slotsCame()}.
 */
final class LaneConnection {
    private static final Logger LOG = LoggerFactory.getLogger(LaneConnection.class);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A connection idle for longer is tried with PING first: a dead one costs nobody an answer. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Endpoint endpoint;
    private final Shared shared;
    private final Map<String, Wire> detours = new HashMap<>();
    private @Nullable Wire wire;

    /** Connections that broke with writes in flight, by address; their successors end them. */
    private final Map<String, Wire> broken = new HashMap<>();

    /**
     * Slots were handed over to this lane: its server may have become their primary only now, and
     * hears again what every new primary is told.
     */
    private volatile boolean slotsCame;

    private long complainedAt = System.nanoTime() - COMPLAINT_NANOS;
    private long pause = FIRST_PAUSE_NANOS;

    LaneConnection(Endpoint endpoint, Shared shared) {
        this.endpoint = endpoint;
        this.shared = shared;
    }

    /** Called by the worker of the lane that had the slots before. */
    void slotsCame() {
        slotsCame = true;
    }

    /** Whether the connection stands, as far as one can know without asking. */
    boolean ready() {
        Wire open = wire;
        return open != null && !idleFor(open) && !slotsCame;
    }

    private static boolean idleFor(Wire open) {
        return System.nanoTime() - open.lastUse > IDLE_NANOS;
    }

    /** The one to the primary; null if there is none. */
    @Nullable Wire wire() {
        return wire;
    }

    /**
     * Makes it ready.
     *
     * @throws RedisException if that cannot be done now; then {@link #nextPause} goes first
     */
    void connect() {
        Wire old = wire;
        if (old != null && answers(old)) {
            return;
        }
        drop();
        slotsCame = false;
        try {
            wire = open(endpoint);
        } catch (RedisException e) {
            complain(e);
            throw e;
        }
        pause = FIRST_PAUSE_NANOS;
        shared.stats.connects.increment();
    }

    /** How long to wait before the next attempt: longer each time, until one succeeds. */
    long nextPause() {
        long now = pause;
        pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
        return now;
    }

    /** Once for a while: a lane may try for hours. */
    private void complain(RedisException why) {
        long now = System.nanoTime();
        if (now - complainedAt > COMPLAINT_NANOS) {
            complainedAt = now;
            LOG.warn("No connection to Redis. endpoint={} reason={}", endpoint, why.getMessage());
        }
    }

    private Wire open(Endpoint to) {
        Wire opened =
                Wire.open(
                        to,
                        shared.options,
                        shared.watchdog,
                        shared.greeting(to),
                        broken.get(to.address()));
        broken.remove(to.address());
        return opened;
    }

    private boolean answers(Wire open) {
        try {
            open.expectWithin(shared.answerNanos());
            open.exchange("PING");
            if (open == wire && slotsCame) {
                slotsCame = false;
                open.say(shared.firstWords());
            }
            open.expectNothing();
            open.lastUse = System.nanoTime();
            return true;
        } catch (BrokenWireException e) {
            return false;
        }
    }

    /** Loads a script the server does not know; returns why that is not allowed, or null. */
    @Nullable RedisException load(@Nullable Script script) {
        Wire open = wire;
        if (script != null) {
            shared.scripts.add(script);
        }
        if (script != null && open != null) {
            open.expectWithin(shared.answerNanos());
            try {
                open.load(script);
                open.expectNothing();
            } catch (RedisException | BrokenWireException e) {
                // the next connection loads all known scripts
                drop();
                return e instanceof RedisException why && why.reason() == Reason.DENIED
                        ? why
                        : null;
            }
        }
        return null;
    }

    /** The one to another node. */
    Wire detour(Endpoint to) {
        Wire side = detours.get(to.address());
        if (side == null || (idleFor(side) && !answers(side))) {
            closeDetour(to);
            side = open(to);
            detours.put(to.address(), side);
        }
        return side;
    }

    @Nullable Wire closeDetour(Endpoint to) {
        Wire side = detours.remove(to.address());
        if (side != null) {
            side.close();
        }
        return side;
    }

    /** It broke while a write was on its way: whoever comes after it ends it on the server. */
    void brokeWithWrites(Endpoint to, Wire lost) {
        broken.put(to.address(), lost);
    }

    void drop() {
        Wire open = wire;
        if (open != null) {
            open.close();
            wire = null;
        }
    }

    void close() {
        drop();
        detours.values().forEach(Wire::close);
    }
}
