package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * What waits for a lane, first in first out, and bounded.
 *
 * <p><b>Order.</b> What the server did not execute waits in {@code again} and leaves before
 * anything newer of the same owner; a newer one that comes to its turn meanwhile waits there too.
 *
 * <p><b>Nobody waits for ever.</b> A request is taken from here only when the connection stands, so
 * that the watchdog can answer it while the lane is busy with something else.
 *
 * <p><b>Locks.</b> {@code lock} guards both queues. Only {@link #handOver} ever holds two of them,
 * and only one hand-over runs at a time. Requests are answered outside of all locks: whoever waits
 * for an answer may send the next request from within.
 */
final class LaneQueue {
    private final Endpoint endpoint;
    private final Shared shared;
    private final Predicate<Request> isMine;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Request> queue = new ArrayDeque<>();

    /** Not executed and to be sent again, and newer ones that must not overtake these. */
    private final Deque<Request> again = new ArrayDeque<>();

    private boolean idle;
    private volatile boolean closed;

    /**
     * A queue.
     *
     * @param isMine whether a request still takes this lane; asked under the lock
     */
    LaneQueue(Endpoint endpoint, Shared shared, Predicate<Request> isMine) {
        this.endpoint = endpoint;
        this.shared = shared;
        this.isMine = isMine;
        this.most = shared.options.queue();
    }

    // ---------------------------------------------------------------- coming

    /**
     * Queues the request, unless its slot belongs to another lane by now.
     *
     * @param next what has to follow it at once, or null
     * @throws RedisException UNAVAILABLE when the queue is full or the connection closed
     */
    boolean offer(Request request, @Nullable Request next) {
        lock.lock();
        try {
            if (!isMine.test(request)) {
                return false;
            }
            if (closed) {
                throw closedException();
            }
            if (queue.size() + again.size() >= most) {
                shared.stats.refused.increment();
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

    /** What was not executed goes before everything that waits: it was there first. */
    void putBack(List<Request> oldestFirst) {
        lock.lock();
        try {
            for (Request request : oldestFirst.reversed()) {
                again.addFirst(request);
            }
        } finally {
            lock.unlock();
        }
        expireSoon();
    }

    /**
     * Gives away what waits for these slots, oldest first; the bound of the other queue does not
     * count.
     *
     * @param reroute sends newer requests to the other lane; nobody can queue any meanwhile
     * @return those that nobody takes any more, to be answered: the other queue is closed
     */
    List<Request> handOver(LaneQueue to, BitSet slots, Runnable reroute) {
        List<Request> leaving = new ArrayList<>();
        to.lock.lock();
        lock.lock();
        try {
            reroute.run();
            release(again, slots, leaving);
            release(queue, slots, leaving);
            return to.adopt(leaving) ? List.of() : leaving;
        } finally {
            lock.unlock();
            to.lock.unlock();
        }
    }

    private static void release(Deque<Request> waiting, BitSet slots, List<Request> leaving) {
        waiting.removeIf(request -> slots.get(request.slot) && leaving.add(request));
    }

    private boolean adopt(List<Request> requests) {
        if (!closed) {
            again.addAll(requests);
            wake();
            expireSoon();
        }
        return !closed;
    }

    private void wake() {
        if (idle) {
            idle = false;
            changed.signal();
        }
    }

    // ---------------------------------------------------------------- leaving

    /**
     * Waits for work. Empty when there is none that may be sent now but something else to do.
     *
     * @param ready whether the connection stands
     */
    @SuppressWarnings("WaitNotInLoop") // woken too early it returns empty, and is called again
    Batch next(BooleanSupplier ready) {
        Batch batch = new Batch();
        List<Request> late = new ArrayList<>(0);
        lock.lock();
        try {
            long wait = gather(ready, batch, late);
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
                gather(ready, batch, late);
            }
        } finally {
            lock.unlock();
        }
        failOverdue(late);
        return batch;
    }

    /** Fills the batch; returns how long to wait when nothing may be sent yet. */
    private long gather(BooleanSupplier ready, Batch batch, List<Request> late) {
        if (!ready.getAsBoolean()) {
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

    // ---------------------------------------------------------------- what nobody sends

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

    /** These have been under way, and the watchdog may have forgotten when they are overdue. */
    private void expireSoon() {
        shared.watchdog.within(System.nanoTime() + Watchdog.STEP_NANOS);
    }

    private void failOverdue(List<Request> late) {
        if (!late.isEmpty()) {
            RedisException why = notInTime();
            late.forEach(request -> request.fail(why));
        }
    }

    private RedisException notInTime() {
        String done = " did not take the request in time; nothing was done.";
        return shared.explanation
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

    /** Answers everything that waits. */
    void failAll(RedisException why) {
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

    int waiting() {
        lock.lock();
        try {
            return queue.size() + again.size();
        } finally {
            lock.unlock();
        }
    }

    // ---------------------------------------------------------------- the worker's rest

    /** Wakes the worker, from whatever it waits for. */
    void poke() {
        lock.lock();
        try {
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the worker wait for so long, or until somebody pokes it. */
    @SuppressWarnings("WaitNotInLoop") // a pause that ends too early does no harm
    void pause(long nanos) {
        lock.lock();
        try {
            if (!closed) {
                changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Takes no more; the worker ends soon. */
    void close() {
        closed = true;
        poke();
    }

    /** After the last work: takes no more, and answers what is left. */
    void end() {
        closed = true;
        failAll(closedException());
    }
}
