package dev.millrace.keyspace.redis;

import static java.util.Objects.requireNonNull;

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
 * <p>Callers put requests into a bounded queue; one thread takes whatever has gathered, sends it in
 * one write, reads the answers, and takes the next. While a batch travels the next one gathers, so
 * the more callers there are, the fewer system calls each of them costs. Lanes are few and always
 * at work, so theirs are threads of the system: a virtual one takes the way over a poller and a
 * scheduler at every answer, which was about an eighth of what a small write costs a hub.
 *
 * <p><b>Sent again.</b> What the server did not execute (a script it does not know, a slot that has
 * moved or is on its way, a server that is loading) waits in {@code again} and leaves before
 * anything newer of the same owner. What was sent when the connection broke is sent again only if
 * it may be; for everything else the outcome is unknown, and says so. The new connection first ends
 * the old one on the server: what is still on its way there must not arrive after what follows.
 *
 * <p><b>Nobody waits for ever.</b> A request is taken from the queue only when the connection
 * stands, so that the watchdog can answer it while the lane is busy with something else.
 *
 * <p><b>Locks.</b> {@code lock} guards both queues. Only {@link Router#transfer} ever holds two
 * lanes' locks, and only one transfer runs at a time. Requests are answered outside of all locks:
 * whoever waits for an answer may send the next request from within.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(10);
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

    /** Connections that broke with writes in flight, by address; their successors end them. */
    private final Map<String, Wire> broken = new HashMap<>();

    /** What was sent and is not answered yet, for the case that something unforeseen happens. */
    private List<Unit> inFlight = List.of();

    /**
     * Slots were handed over to this lane: its server may have become their primary only now, and
     * hears again what every new primary is told.
     */
    volatile boolean slotsCame;

    private long complainedAt = System.nanoTime() - COMPLAINT_NANOS;
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
        Thread.ofPlatform().daemon().name("redis-lane-" + endpoint + "-" + index).start(this::run);
    }

    /**
     * Queues the request, unless its slot belongs to another lane by now.
     *
     * @param next what has to follow it at once, or null
     * @throws RedisException UNAVAILABLE when the queue is full or the connection closed
     */
    boolean offer(Request request, @Nullable Request next) {
        lock.lock();
        try {
            if (router.lane(request) != this) {
                return false;
            }
            if (closed) {
                throw closedException();
            }
            if (queue.size() + again.size() >= options.queue()) {
                router.stats.refused.increment();
                throw new RedisException(
                        Reason.UNAVAILABLE,
                        "Too many requests wait for Redis at " + endpoint + "; try again shortly.");
            }
            queue.addLast(request);
            if (next != null) {
                queue.addLast(next);
            }
            wake();
            return true;
        } finally {
            lock.unlock();
        }
    }

    static RedisException closedException() {
        return new RedisException(Reason.UNAVAILABLE, "The connection to Redis is closed.");
    }

    /**
     * Takes requests over from another lane; the caller holds the lock, the bound does not count.
     * False if this lane is closed and has answered all it had.
     */
    boolean adopt(List<Request> requests) {
        if (closed) {
            return false;
        }
        again.addAll(requests);
        wake();
        return true;
    }

    /** Gives away what waits for these slots, oldest first; the caller holds the lock. */
    List<Request> release(BitSet slots) {
        List<Request> leaving = new ArrayList<>();
        for (Deque<Request> waiting : List.of(again, queue)) {
            waiting.removeIf(request -> slots.get(request.slot) && leaving.add(request));
        }
        return leaving;
    }

    /** Makes the worker look at the routing again, also when it waits to connect. */
    void poke() {
        lock.lock();
        try {
            changed.signal();
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
                try {
                    router.followSlots(this);
                    work();
                } catch (RuntimeException | Error e) {
                    LOG.error("A programming error in a lane to Redis. endpoint={}", endpoint, e);
                    abandon(e);
                }
            }
        } finally {
            closed = true;
            failAll(closedException());
            drop();
            detours.values().forEach(Wire::close);
        }
    }

    private void work() {
        Batch batch = next();
        if (!batch.isEmpty()) {
            send(batch);
        } else if (!ready() && waiting() > 0) {
            connect();
        }
    }

    /** Waits for work. Empty when there is none that may be sent now but something else to do. */
    @SuppressWarnings("WaitNotInLoop") // woken too early it returns empty, and is called again
    private Batch next() {
        Batch batch = new Batch();
        List<Request> late = new ArrayList<>(0);
        lock.lock();
        try {
            long wait = gather(batch, late);
            if (batch.isEmpty() && late.isEmpty() && wait > 0 && !closed) {
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
                gather(batch, late);
            }
        } finally {
            lock.unlock();
        }
        failOverdue(late);
        return batch;
    }

    /** Fills the batch; returns how long to wait when nothing may be sent yet. */
    private long gather(Batch batch, List<Request> late) {
        if (!ready()) {
            return queue.isEmpty() && again.isEmpty() ? Long.MAX_VALUE : 0;
        }
        long now = System.nanoTime();
        long wait = Long.MAX_VALUE;
        BitSet held = new BitSet();
        for (Iterator<Request> each = again.iterator(); each.hasNext(); ) {
            Request request = each.next();
            if (overdue(request, now, late)) {
                each.remove();
            } else if (!held.get(Batch.bit(request.order))) {
                if (request.notBefore - now > 0) {
                    wait = Math.min(wait, request.notBefore - now);
                    held.set(Batch.bit(request.order));
                } else if (batch.add(request)) {
                    each.remove();
                } else {
                    held.set(Batch.bit(request.order));
                }
            }
        }
        for (Request request = queue.peek(); request != null; request = queue.peek()) {
            if (overdue(request, now, late)) {
                queue.poll();
            } else if (held.get(Batch.bit(request.order))) {
                again.addLast(queue.remove());
            } else if (batch.add(request)) {
                queue.poll();
            } else {
                break;
            }
        }
        return wait;
    }

    private static boolean overdue(Request request, long now, List<Request> late) {
        return now - request.deadline > 0 && request.giveUp() && late.add(request);
    }

    /** Called by the watchdog too, so that nobody waits behind a server that does not answer. */
    void expireOverdue() {
        List<Request> late = new ArrayList<>(0);
        lock.lock();
        try {
            long now = System.nanoTime();
            again.removeIf(request -> overdue(request, now, late));
            queue.removeIf(request -> overdue(request, now, late));
        } finally {
            lock.unlock();
        }
        failOverdue(late);
    }

    private void failOverdue(List<Request> late) {
        if (!late.isEmpty()) {
            RedisException why = notInTime();
            late.forEach(request -> request.fail(why));
        }
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

    private void send(Batch batch) {
        List<Unit> units = batch.units;
        units.removeIf(unit -> !unit.markSent());
        inFlight = units;
        Wire open = requireNonNull(wire);
        long began = System.nanoTime();
        if (mayRun(open, units)) {
            exchange(open, units);
        }
        inFlight = List.of();
        long took = System.nanoTime() - began;
        router.stats.roundTripNanos.add(took);
        router.stats.slowestNanos.accumulate(took);
        router.stats.batches.increment();
        router.stats.requests.add(batch.size());
    }

    /**
     * Fails those that call a script which the user may not run to its end. False if the connection
     * broke meanwhile; then nothing was sent.
     */
    private boolean mayRun(Wire open, List<Unit> units) {
        try {
            open.expectWithin(options.answerTime().toNanos());
            for (Iterator<Unit> each = units.iterator(); each.hasNext(); ) {
                Unit unit = each.next();
                RedisException refusal = unit.refusal(open);
                if (refusal != null) {
                    each.remove();
                    unit.fail(refusal);
                }
            }
            return true;
        } catch (BrokenWireException e) {
            drop();
            units.forEach(unit -> notExecuted(unit, 0));
            putBack();
            return false;
        }
    }

    private void exchange(Wire open, List<Unit> units) {
        BitSet moved = new BitSet();
        Map<Unit, ErrorReply> refused = new LinkedHashMap<>(0);
        Map<Unit, @Nullable Object> stored = new LinkedHashMap<>(0);
        int settled = 0;
        try {
            open.expectWithin(options.answerTime().toNanos());
            boolean writes = false;
            for (Unit unit : units) {
                unit.write(open);
                writes |= unit.writes();
            }
            boolean confirms = writes && askReplicas(open);
            open.flush();
            for (; settled < units.size(); settled++) {
                Unit unit = units.get(settled);
                Object reply = open.read();
                if (reply instanceof ErrorReply error
                        && meaning(error) != ErrorReply.Meaning.FINAL) {
                    refused.put(unit, error);
                } else if (confirms && unit.writes()) {
                    stored.put(unit, reply);
                } else {
                    settle(unit, reply);
                }
            }
            if (confirms) {
                settleStored(stored, isConfirmed(open.read()));
            }
            open.expectNothing();
            open.lastUse = System.nanoTime();
        } catch (BrokenWireException e) {
            drop();
            router.refreshSoon();
            settleStored(stored, false);
            for (Unit unit : units.subList(settled, units.size())) {
                if (unit.writes()) {
                    broken.put(endpoint.address(), open);
                }
                unit.members.forEach(member -> lost(member, e));
            }
        }
        refused.forEach((unit, error) -> takeBack(unit, error, moved));
        putBack();
        moved.stream().forEach(slot -> router.moved(this, slot));
    }

    // ---------------------------------------------------------------- replicas

    /** One WAIT behind all writes of a batch; false if nobody asked for replicas. */
    private boolean askReplicas(Wire open) {
        int replicas = options.durability().replicas();
        if (replicas > 0) {
            long millis = options.limits().replicaTime().toMillis();
            open.expectWithin(options.answerTime().toNanos() + millis * 1_000_000);
            open.write(
                    new byte[][] {
                        Wire.ascii("WAIT"),
                        Wire.ascii(Integer.toString(replicas)),
                        Wire.ascii(Long.toString(millis))
                    });
        }
        return replicas > 0;
    }

    private boolean isConfirmed(@Nullable Object answer) {
        return answer instanceof Long replicas && replicas >= options.durability().replicas();
    }

    /** Answers what the server has executed, now that it is known what its replicas say. */
    private void settleStored(Map<Unit, @Nullable Object> stored, boolean confirmed) {
        stored.forEach(
                (unit, reply) -> {
                    if (!confirmed) {
                        router.stats.unconfirmed.add(unit.members.size());
                        unit.members.forEach(member -> member.unconfirmed = true);
                    }
                    settle(unit, reply);
                });
        stored.clear();
    }

    // ---------------------------------------------------------------- answers

    /** Under sentinels a replica is a primary of yesterday: there will be another one. */
    private ErrorReply.Meaning meaning(ErrorReply error) {
        return error.code().equals("READONLY") && options.topology() instanceof Topology.Sentinel
                ? ErrorReply.Meaning.AGAIN
                : error.meaning();
    }

    private void settle(Unit unit, @Nullable Object reply) {
        if (!(reply instanceof ErrorReply error)) {
            unit.answer(reply);
        } else if (error.code().equals("OOM") && unit.members.size() > 1) {
            // A full server refuses the whole call; those that only remove may still run alone.
            unit.members.forEach(member -> member.alone = true);
            notExecuted(unit, 0);
        } else if (error.insideScript() && unit.writes()) {
            // It cannot happen to a commit; if it does, those before it in the call are done.
            unit.fail(
                    new OutcomeUnknownException(
                            "A script failed while it was running: " + error.message()));
        } else {
            unit.fail(error.asException());
        }
    }

    /** Decides how something that the server did not execute goes on. */
    private void takeBack(Unit unit, ErrorReply error, BitSet moved) {
        switch (meaning(error)) {
            case AGAIN -> {
                if (error.code().equals("TRYAGAIN")) {
                    // Half of the slot is on its way: fewer keys meet the gap less often.
                    unit.members.forEach(member -> member.alone = true);
                } else if (error.code().equals("CLUSTERDOWN") || error.code().equals("READONLY")) {
                    router.refreshSoon();
                }
                notExecuted(unit, backOff(unit));
            }
            case LOAD_SCRIPT -> {
                RedisException denied = load(unit.script());
                if (denied != null) {
                    unit.fail(denied);
                } else {
                    notExecuted(unit, 0);
                }
            }
            case MOVED -> {
                router.learn(unit.slot(), Endpoint.parse(error.target(), endpoint));
                moved.set(unit.slot());
                // At once, unless two nodes send it to and fro while they settle who it is.
                notExecuted(unit, unit.members.getFirst().attempts == 0 ? 0 : backOff(unit));
            }
            case ASK -> {
                boolean executed = true;
                for (Request member : unit.members) {
                    member.alone = true;
                    // One that has to wait must not be overtaken by a later one of its owner.
                    if (executed) {
                        executed = detour(member, Endpoint.parse(error.target(), endpoint));
                    } else {
                        notExecuted(new Unit(member, false), 0);
                    }
                }
            }
            case FINAL -> settle(unit, error);
        }
    }

    private static long backOff(Unit unit) {
        return (FIRST_PAUSE_NANOS / 4) << Math.min(unit.members.getFirst().attempts, 4);
    }

    /** Loads a script the server does not know; returns why that is not allowed, or null. */
    private @Nullable RedisException load(@Nullable Script script) {
        Wire open = wire;
        if (script != null) {
            router.scripts.add(script);
        }
        if (script != null && open != null) {
            open.expectWithin(options.answerTime().toNanos());
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
    private void lost(Request request, Throwable cause) {
        if (request.mayBeSentTwice()) {
            request.markLost();
            returned.add(request);
        } else {
            router.stats.unknown.increment();
            request.fail(
                    new OutcomeUnknownException(
                            "The connection to Redis at "
                                    + endpoint
                                    + " was lost before the answer ("
                                    + cause.getMessage()
                                    + "); the write may or may not have happened."));
        }
    }

    /** What to do when we have a bug: nobody is left waiting, and the lane goes on. */
    private void abandon(Throwable cause) {
        drop();
        for (Unit unit : inFlight) {
            for (Request member : unit.members) {
                if (!member.answer.isDone() && !returned.contains(member)) {
                    lost(member, cause);
                }
            }
        }
        inFlight = List.of();
        putBack();
        pauseBeforeReconnect();
    }

    /**
     * Sends one request to the node that a migrating slot points to, and waits for it. False if it
     * was not executed and has to be sent again.
     */
    private boolean detour(Request request, Endpoint to) {
        Unit unit = new Unit(request, request.grouped);
        try {
            Wire side = detours.get(to.address());
            if (side == null || (idleFor(side) && !answers(side))) {
                closeDetour(to);
                side = open(to);
                detours.put(to.address(), side);
            }
            side.expectWithin(options.answerTime().toNanos());
            side.write(new byte[][] {Wire.ascii("ASKING")});
            unit.write(side);
            boolean confirms = unit.writes() && askReplicas(side);
            side.flush();
            side.read();
            Object reply = side.read();
            request.unconfirmed = confirms && !isConfirmed(side.read());
            if (reply instanceof ErrorReply error
                    && error.meaning() == ErrorReply.Meaning.LOAD_SCRIPT) {
                Script script = unit.script();
                if (script != null) {
                    side.load(script);
                }
            }
            side.expectNothing();
            side.lastUse = System.nanoTime();
            if (reply instanceof ErrorReply error && error.meaning() != ErrorReply.Meaning.FINAL) {
                notExecuted(unit, backOff(unit));
                return false;
            }
            settle(unit, reply);
            return true;
        } catch (BrokenWireException e) {
            Wire side = closeDetour(to);
            if (side != null && unit.writes()) {
                broken.put(to.address(), side);
            }
            lost(request, e);
            return !request.mayBeSentTwice();
        } catch (RedisException e) {
            closeDetour(to);
            notExecuted(unit, backOff(unit));
            return false;
        }
    }

    private @Nullable Wire closeDetour(Endpoint to) {
        Wire side = detours.remove(to.address());
        if (side != null) {
            side.close();
        }
        return side;
    }

    // ---------------------------------------------------------------- the connection

    /** Whether the connection stands, as far as one can know without asking. */
    private boolean ready() {
        Wire open = wire;
        return open != null && !idleFor(open) && !slotsCame;
    }

    private static boolean idleFor(Wire open) {
        return System.nanoTime() - open.lastUse > IDLE_NANOS;
    }

    /** Makes the lane ready, or waits a moment before the next attempt. */
    private void connect() {
        Wire old = wire;
        if (old != null && answers(old)) {
            return;
        }
        drop();
        slotsCame = false;
        try {
            wire = open(endpoint);
            pause = FIRST_PAUSE_NANOS;
            router.stats.connects.increment();
        } catch (RedisException e) {
            complain(e);
            if (e.reason() == Reason.DENIED || e.reason() == Reason.REFUSED) {
                // A wrong password or setting does not mend itself while a caller waits.
                failAll(e);
            }
            router.refreshSoon();
            pauseBeforeReconnect();
        }
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
                        options,
                        router.watchdog,
                        router.greeting(to),
                        broken.get(to.address()));
        broken.remove(to.address());
        return opened;
    }

    private boolean answers(Wire open) {
        try {
            open.expectWithin(options.answerTime().toNanos());
            open.exchange("PING");
            if (open == wire && slotsCame) {
                slotsCame = false;
                open.say(router.firstWords());
            }
            open.expectNothing();
            open.lastUse = System.nanoTime();
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
        List<Request> waiting;
        lock.lock();
        try {
            waiting = new ArrayList<>(again);
            waiting.addAll(queue);
            again.clear();
            queue.clear();
        } finally {
            lock.unlock();
        }
        waiting.forEach(request -> request.expire(why));
    }

    private void drop() {
        Wire open = wire;
        if (open != null) {
            open.close();
            wire = null;
        }
    }
}
