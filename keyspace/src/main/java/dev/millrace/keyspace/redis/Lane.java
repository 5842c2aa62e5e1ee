package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Batch.Unit;
import dev.millrace.keyspace.redis.Wire.BrokenWireException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One connection to one primary, first in first out, one batch in flight.
 *
 * <p>Callers put requests into a bounded queue; one virtual thread takes whatever has gathered,
 * sends it in one write, reads the answers, and takes the next. While a batch travels the next one
 * gathers, so the more callers there are, the fewer system calls each of them costs.
 *
 * <p><b>Sent again.</b> What the server did not execute (a script it does not know, a slot that has
 * moved or is on its way, a server that is loading) waits in {@code again} and leaves before
 * anything newer of the same slot. What was sent when the connection broke is sent again only if it
 * may be; for everything else the outcome is unknown, and says so.
 *
 * <p><b>Locks.</b> {@code lock} guards both queues. Only {@link Router#transfer} ever holds two
 * lanes' locks, and only one transfer runs at a time.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A connection idle for longer is tried with PING first: a dead one costs nobody an answer. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    final Endpoint endpoint;
    final int index;
    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Router router;
    private final RedisOptions options;
    private final Deque<Request> queue = new ArrayDeque<>();

    /** Not executed and to be sent again, and newer ones that must not overtake these. */
    private final Deque<Request> again = new ArrayDeque<>();

    /** Of the batch in hand: not executed, oldest first. Only the worker touches it. */
    private final List<Request> returned = new ArrayList<>();

    private final Map<String, Wire> detours = new HashMap<>();
    private @Nullable Wire wire;
    private @Nullable RedisException refusal;
    private long lastUse;
    private long pause = FIRST_PAUSE_NANOS;
    private boolean idle;
    private volatile boolean closed;

    Lane(Endpoint endpoint, int index, Router router) {
        this.endpoint = endpoint;
        this.index = index;
        this.router = router;
        this.options = router.options;
    }

    void start() {
        Thread.ofVirtual().name("redis-lane-" + endpoint + "-" + index).start(this::run);
    }

    /**
     * Queues the request, unless its slot belongs to another lane by now.
     *
     * @throws RedisException UNAVAILABLE when the queue is full or the connection closed
     */
    boolean offer(Request request) {
        lock.lock();
        try {
            if (router.lane(request) != this) {
                return false;
            }
            if (closed) {
                throw new RedisException(Reason.UNAVAILABLE, "The connection to Redis is closed.");
            }
            if (queue.size() + again.size() >= options.queue()) {
                router.stats.refused.increment();
                throw new RedisException(
                        Reason.UNAVAILABLE,
                        "Too many requests wait for Redis at " + endpoint + "; try again shortly.");
            }
            queue.addLast(request);
            wake();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes requests over from another lane; the caller holds the lock, the bound does not count.
     */
    void adopt(List<Request> requests) {
        queue.addAll(requests);
        wake();
    }

    /** Gives away what waits for these slots, oldest first; the caller holds the lock. */
    List<Request> release(BitSet slots) {
        List<Request> leaving = new ArrayList<>();
        for (Deque<Request> waiting : List.of(again, queue)) {
            waiting.removeIf(request -> slots.get(request.slot) && leaving.add(request));
        }
        return leaving;
    }

    /** Makes the worker look at the routing again. */
    void poke() {
        lock.lock();
        try {
            wake();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (idle) {
            idle = false;
            changed.signal();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return queue.size() + again.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        closed = true;
        poke();
    }

    // ---------------------------------------------------------------- the worker

    private void run() {
        try {
            while (!closed) {
                router.followSlots(this);
                Batch batch = next();
                if (!batch.isEmpty()) {
                    send(batch);
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A lane to Redis stopped by a programming error. endpoint={}", endpoint, e);
        } finally {
            closed = true;
            failAll(new RedisException(Reason.UNAVAILABLE, "The connection to Redis is closed."));
            drop();
            detours.values().forEach(Wire::close);
        }
    }

    /** Waits for work. Empty when there is none that may be sent now but something else to do. */
    @SuppressWarnings("WaitNotInLoop") // woken too early it returns empty, and is called again
    private Batch next() {
        Batch batch = new Batch();
        lock.lock();
        try {
            long wait = gather(batch);
            if (batch.isEmpty() && !closed) {
                idle = true;
                try {
                    if (wait == Long.MAX_VALUE) {
                        changed.await();
                    } else {
                        changed.awaitNanos(wait);
                    }
                } catch (InterruptedException e) {
                    closed = true;
                } finally {
                    idle = false;
                }
                gather(batch);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Fills the batch; returns how long to wait when nothing may be sent yet. */
    private long gather(Batch batch) {
        long now = System.nanoTime();
        long wait = Long.MAX_VALUE;
        BitSet held = new BitSet();
        for (Iterator<Request> each = again.iterator(); each.hasNext(); ) {
            Request request = each.next();
            if (request.expired() || overdue(request, now)) {
                each.remove();
            } else if (!held.get(request.slot)) {
                if (request.notBefore - now > 0) {
                    wait = Math.min(wait, request.notBefore - now);
                    held.set(request.slot);
                } else if (batch.add(request)) {
                    each.remove();
                } else {
                    held.set(request.slot);
                }
            }
        }
        for (Request request = queue.peek(); request != null; request = queue.peek()) {
            if (request.expired() || overdue(request, now)) {
                queue.poll();
            } else if (held.get(request.slot)) {
                again.addLast(queue.remove());
            } else if (batch.add(request)) {
                queue.poll();
            } else {
                break;
            }
        }
        return wait;
    }

    private boolean overdue(Request request, long now) {
        return now - request.deadline > 0 && request.expire(notInTime());
    }

    private RedisException notInTime() {
        String done = " did not take the request in time; nothing was done.";
        return router.explanation
                .get()
                .map(
                        trouble ->
                                new RedisException(
                                        trouble.reason(),
                                        "Redis" + done + " " + trouble.sentence()))
                .orElseGet(
                        () ->
                                new RedisException(
                                        Reason.UNAVAILABLE,
                                        "Redis at " + endpoint + done + " Try again shortly."));
    }

    /** Called by the watchdog too, so that nobody waits behind a server that does not answer. */
    void expireOverdue() {
        lock.lock();
        try {
            long now = System.nanoTime();
            queue.removeIf(request -> overdue(request, now));
        } finally {
            lock.unlock();
        }
    }

    private void send(Batch batch) {
        Wire open = connected();
        if (open == null) {
            for (Unit unit : batch.units) {
                notExecuted(unit, 0);
            }
            putBack();
            if (refusal != null) {
                failAll(refusal);
            }
            pauseBeforeReconnect();
        } else {
            List<Unit> units = batch.units;
            units.removeIf(unit -> !unit.markSent());
            exchange(open, units);
            router.stats.batches.increment();
            router.stats.requests.add(batch.size());
        }
    }

    private void exchange(Wire open, List<Unit> units) {
        BitSet moved = new BitSet();
        int settled = 0;
        try {
            open.expectWithin(options.answerTime().toNanos());
            for (Unit unit : units) {
                unit.write(open);
            }
            open.flush();
            Map<Unit, ErrorReply> refused = new LinkedHashMap<>(0);
            for (; settled < units.size(); settled++) {
                Object reply = open.read();
                if (reply instanceof ErrorReply error
                        && error.meaning() != ErrorReply.Meaning.FINAL) {
                    refused.put(units.get(settled), error);
                } else {
                    settle(units.get(settled), reply);
                }
            }
            open.expectNothing();
            lastUse = System.nanoTime();
            refused.forEach((unit, error) -> takeBack(unit, error, moved));
        } catch (BrokenWireException e) {
            drop();
            router.refreshSoon();
            for (Unit unit : units.subList(settled, units.size())) {
                unit.members.forEach(member -> lost(member, e));
            }
        }
        putBack();
        moved.stream().forEach(slot -> router.moved(this, slot));
    }

    private void settle(Unit unit, @Nullable Object reply) {
        if (!(reply instanceof ErrorReply error)) {
            unit.answer(reply);
        } else if (error.code().equals("OOM") && unit.members.size() > 1) {
            // A full server refuses the whole call; those that only remove may still run alone.
            unit.members.forEach(member -> member.alone = true);
            notExecuted(unit, 0);
        } else {
            unit.fail(error.asException());
        }
    }

    /** Decides how something that the server did not execute goes on. */
    private void takeBack(Unit unit, ErrorReply error, BitSet moved) {
        switch (error.meaning()) {
            case AGAIN -> {
                if (error.code().equals("TRYAGAIN")) {
                    // Half of the slot is on its way: fewer keys meet the gap less often.
                    unit.members.forEach(member -> member.alone = true);
                } else if (error.code().equals("CLUSTERDOWN")) {
                    router.refreshSoon();
                }
                notExecuted(unit, backOff(unit));
            }
            case LOAD_SCRIPT -> {
                load(unit.script());
                notExecuted(unit, 0);
            }
            case MOVED -> {
                router.learn(unit.slot(), error.target());
                moved.set(unit.slot());
                notExecuted(unit, backOff(unit));
            }
            case ASK -> {
                for (Request member : unit.members) {
                    detour(member, error.target());
                }
            }
            case FINAL -> settle(unit, error);
        }
    }

    private static long backOff(Unit unit) {
        return (FIRST_PAUSE_NANOS / 4) << Math.min(unit.members.getFirst().attempts, 4);
    }

    private void load(@Nullable Script script) {
        Wire open = wire;
        if (script != null && open != null) {
            router.scripts.add(script);
            open.expectWithin(options.answerTime().toNanos());
            try {
                open.load(script);
                open.expectNothing();
            } catch (RedisException | BrokenWireException e) {
                // the next connection loads all known scripts
                drop();
            }
        }
    }

    private void notExecuted(Unit unit, long delay) {
        long at = System.nanoTime() + delay;
        for (Request member : unit.members) {
            member.attempts++;
            member.notBefore = at;
            member.markQueued();
            returned.add(member);
        }
    }

    /** What was not executed goes before everything that waits: it was there first. */
    private void putBack() {
        if (!returned.isEmpty()) {
            lock.lock();
            try {
                for (Request request : returned.reversed()) {
                    again.addFirst(request);
                }
            } finally {
                lock.unlock();
            }
            returned.clear();
        }
    }

    /** The connection broke after the request was sent. */
    private void lost(Request request, BrokenWireException cause) {
        if (request.mayBeSentTwice()) {
            notExecuted(new Unit(request, false), 0);
        } else {
            router.stats.unknown.increment();
            request.answer.completeExceptionally(
                    new OutcomeUnknownException(
                            "The connection to Redis at "
                                    + endpoint
                                    + " was lost before the answer ("
                                    + cause.getMessage()
                                    + "); the write may or may not have happened."));
        }
    }

    /** Sends one request to the node that a migrating slot points to, and waits for it. */
    private void detour(Request request, String address) {
        Unit unit = new Unit(request, request.grouped);
        request.alone = true;
        try {
            Wire side = detours.get(address);
            if (side == null) {
                side =
                        Wire.open(
                                router.endpoint(address),
                                options,
                                router.watchdog,
                                router.greeting);
                detours.put(address, side);
            }
            side.expectWithin(options.answerTime().toNanos());
            side.write(new byte[][] {Wire.ascii("ASKING")});
            unit.write(side);
            side.flush();
            side.read();
            Object reply = side.read();
            if (reply instanceof ErrorReply error
                    && error.meaning() == ErrorReply.Meaning.LOAD_SCRIPT) {
                Script script = unit.script();
                if (script != null) {
                    side.load(script);
                }
            }
            side.expectNothing();
            if (reply instanceof ErrorReply error && error.meaning() != ErrorReply.Meaning.FINAL) {
                notExecuted(unit, backOff(unit));
            } else {
                settle(unit, reply);
            }
        } catch (BrokenWireException e) {
            closeDetour(address);
            lost(request, e);
        } catch (RedisException e) {
            closeDetour(address);
            notExecuted(unit, backOff(unit));
        }
    }

    private void closeDetour(String address) {
        Wire side = detours.remove(address);
        if (side != null) {
            side.close();
        }
    }

    // ---------------------------------------------------------------- the connection

    private @Nullable Wire connected() {
        Wire open = wire;
        if (open != null && System.nanoTime() - lastUse > IDLE_NANOS && !answers(open)) {
            drop();
            open = null;
        }
        if (open != null) {
            return open;
        }
        try {
            open = Wire.open(endpoint, options, router.watchdog, router.greeting);
            wire = open;
            lastUse = System.nanoTime();
            pause = FIRST_PAUSE_NANOS;
            refusal = null;
            router.stats.connects.increment();
            return open;
        } catch (RedisException e) {
            LOG.warn("No connection to Redis. endpoint={} reason={}", endpoint, e.getMessage());
            // A wrong password does not mend itself while a caller waits.
            refusal = e.reason() == Reason.DENIED ? e : null;
            router.refreshSoon();
            return null;
        }
    }

    private boolean answers(Wire open) {
        try {
            open.expectWithin(options.answerTime().toNanos());
            open.exchange("PING");
            open.expectNothing();
            return true;
        } catch (BrokenWireException e) {
            return false;
        }
    }

    @SuppressWarnings("WaitNotInLoop") // a pause that ends too early does no harm
    private void pauseBeforeReconnect() {
        lock.lock();
        try {
            if (!closed) {
                changed.awaitNanos(pause);
            }
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            lock.unlock();
        }
        pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
    }

    private void failAll(RedisException why) {
        lock.lock();
        try {
            again.forEach(request -> request.expire(why));
            queue.forEach(request -> request.expire(why));
            again.clear();
            queue.clear();
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
}
