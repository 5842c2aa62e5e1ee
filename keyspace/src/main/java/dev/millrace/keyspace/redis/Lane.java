package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One connection to one primary, first in first out, one batch in flight.
 *
 * <p>Callers put requests into a bounded queue; one thread takes whatever has gathered, sends it in
 * one write, reads the answers, and takes the next. While a batch travels the next one gathers, so
 * the more callers there are, the fewer system calls each of them costs. Lanes are few and always
 * at work, so theirs are threads of the system: a virtual one takes the way over a poller and a
 * scheduler at every answer, which was about an eighth of what a small write costs a program.
 *
 * <p>The worker joins three parts: {@link LaneQueue} (what waits, in which order, and until when),
 * {@link LaneConnection} (what it is sent on) and {@link Exchange} (what becomes of it).
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    /** What a lane asks and tells whoever sends requests down it. */
    interface Routes {
        /** Whether this request still takes this lane. */
        boolean leadTo(Lane lane, Request request);

        /** Hands over every slot that belongs to another lane by now; between two batches. */
        void followSlots(Lane from);

        /** Hands over one slot, whose new owner was {@linkplain #learn learned}. */
        void moved(Lane from, int slot);

        /** A server said who owns the slot now. */
        void learn(int slot, Endpoint owner);

        /** Something looks as if the primaries had changed. */
        void refreshSoon();
    }

    final Endpoint endpoint;
    final int index;
    private final Routes routes;
    private final LaneQueue queue;
    private final LaneConnection connection;
    private final Exchange exchange;
    private final BooleanSupplier ready;

    Lane(Endpoint endpoint, int index, Shared shared, Routes routes) {
        this.endpoint = endpoint;
        this.index = index;
        this.routes = routes;
        this.queue = new LaneQueue(endpoint, shared, request -> routes.leadTo(this, request));
        this.connection = new LaneConnection(endpoint, shared);
        this.exchange = new Exchange(endpoint, shared, routes, queue, connection);
        this.ready = connection::ready;
    }

    void start() {
        Thread.ofPlatform().daemon().name("redis-lane-" + endpoint + "-" + index).start(this::run);
    }

    /**
     * Queues the request, unless its slot belongs to another lane by now.
     *
     * @param next what has to follow it at once, or null
     * @throws RedisException UNAVAILABLE when the queue is full or the connection closed
     */
    boolean offer(Request request, @Nullable Request next) {
        return queue.offer(request, next);
    }

    /**
     * Gives what waits for these slots to another lane. One at a time, of all lanes.
     *
     * @param reroute sends newer requests there
     * @return those that nobody takes any more, to be answered outside of all locks
     */
    List<Request> handOver(Lane to, BitSet slots, Runnable reroute) {
        return queue.handOver(
                to.queue,
                slots,
                () -> {
                    reroute.run();
                    to.connection.slotsCame();
                });
    }

    /** Makes the worker look at the routing again, also when it waits to connect. */
    void poke() {
        queue.poke();
    }

    /** Called by the watchdog, so that nobody waits behind a server that does not answer. */
    void expireOverdue() {
        queue.expireOverdue();
    }

    int waiting() {
        return queue.waiting();
    }

    void close() {
        queue.close();
    }

    // ---------------------------------------------------------------- the worker

    private void run() {
        try {
            while (!queue.isClosed()) {
                try {
                    routes.followSlots(this);
                    work();
                } catch (RuntimeException | Error e) {
                    LOG.error("A programming error in a lane to Redis. endpoint={}", endpoint, e);
                    exchange.abandon(e);
                    queue.pause(connection.nextPause());
                }
            }
        } finally {
            queue.end();
            connection.close();
        }
    }

    private void work() {
        Batch batch = queue.next(ready);
        if (!batch.isEmpty()) {
            BitSet moved = exchange.send(batch);
            if (!moved.isEmpty()) {
                moved.stream().forEach(slot -> routes.moved(this, slot));
            }
        } else if (!connection.ready() && queue.waiting() > 0) {
            connect();
        }
    }

    /** Makes the connection ready, or waits a moment before the next attempt. */
    private void connect() {
        try {
            connection.connect();
        } catch (RedisException e) {
            if (e.reason() == Reason.DENIED || e.reason() == Reason.REFUSED) {
                // A wrong password or setting does not mend itself while a caller waits.
                queue.failAll(e);
            }
            routes.refreshSoon();
            queue.pause(connection.nextPause());
        }
    }
}
