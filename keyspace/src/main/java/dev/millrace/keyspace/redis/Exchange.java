package dev.millrace.keyspace.redis;

import static java.util.Objects.requireNonNull;

import dev.millrace.keyspace.redis.Batch.Unit;
import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Topology;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sends a batch and decides by the answers what becomes of each request.
 *
 * <p><b>Sent again.</b> What the server did not execute (a script it does not know, a slot that has
 * moved or is on its way, a server that is loading) goes back to the head of the queue. What was
 * sent when the connection broke is sent again only if it may be; for everything else the outcome
 * is unknown, and says so.
 *
 * <p><b>Replicas.</b> Where writes shall be confirmed by replicas, one WAIT travels behind all
 * writes of a batch, and they are answered when it is.
 *
 * <p>For the lane's worker only.
 */
final class Exchange {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final BitSet NOWHERE = new BitSet(0);

    private final Endpoint endpoint;
    private final Shared shared;
    private final RedisOptions options;
    private final Lane.Routes routes;
    private final LaneQueue queue;
    private final LaneConnection connection;

    /** Of the batch in hand: not executed, oldest first. */
    private final List<Request> returned = new ArrayList<>();

    /** What was sent and is not answered yet, for the case that something unforeseen happens. */
    private List<Unit> inFlight = List.of();

    Exchange(
            Endpoint endpoint,
            Shared shared,
            Lane.Routes routes,
            LaneQueue queue,
            LaneConnection connection) {
        this.endpoint = endpoint;
        this.shared = shared;
        this.options = shared.options;
        this.routes = routes;
        this.queue = queue;
        this.connection = connection;
    }

    /** Sends the batch; returns the slots that have moved away from this server. */
    BitSet send(Batch batch) {
        List<Unit> units = batch.units;
        units.removeIf(unit -> !unit.markSent());
        inFlight = units;
        Wire open = requireNonNull(connection.wire());
        long began = System.nanoTime();
        BitSet moved = mayRun(open, units) ? exchange(open, units) : NOWHERE;
        inFlight = List.of();
        long took = System.nanoTime() - began;
        RedisStats stats = shared.stats;
        stats.roundTripNanos.add(took);
        stats.slowestNanos.accumulate(took);
        stats.batches.increment();
        stats.requests.add(batch.size());
        return moved;
    }

    /**
     * Fails those that call a script which the user may not run to its end. False if the connection
     * broke meanwhile; then nothing was sent.
     */
    private boolean mayRun(Wire open, List<Unit> units) {
        try {
            open.expectWithin(shared.answerNanos());
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
            connection.drop();
            units.forEach(unit -> notExecuted(unit, 0));
            putBack();
            return false;
        }
    }

    private BitSet exchange(Wire open, List<Unit> units) {
        BitSet moved = new BitSet();
        Map<Unit, ErrorReply> refused = new LinkedHashMap<>(0);
        Map<Unit, @Nullable Object> stored = new LinkedHashMap<>(0);
        int settled = 0;
        try {
            open.expectWithin(shared.answerNanos());
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
            connection.drop();
            routes.refreshSoon();
            settleStored(stored, false);
            for (Unit unit : units.subList(settled, units.size())) {
                if (unit.writes()) {
                    connection.brokeWithWrites(endpoint, open);
                }
                unit.members.forEach(member -> lost(member, e));
            }
        }
        refused.forEach((unit, error) -> takeBack(unit, error, moved));
        putBack();
        return moved;
    }

    // ---------------------------------------------------------------- replicas

    /** One WAIT behind all writes of a batch; false if nobody asked for replicas. */
    private boolean askReplicas(Wire open) {
        int replicas = options.durability().replicas();
        if (replicas > 0) {
            long millis = options.limits().replicaTime().toMillis();
            open.expectWithin(shared.answerNanos() + millis * 1_000_000);
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
                        shared.stats.unconfirmed.add(unit.members.size());
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
        if (reply == null && unit.isPacked()) {
            unit.unpack();
            notExecuted(unit, 0);
        } else if (!(reply instanceof ErrorReply error)) {
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
                    routes.refreshSoon();
                }
                notExecuted(unit, backOff(unit));
            }
            case LOAD_SCRIPT -> {
                RedisException denied = connection.load(unit.script());
                if (denied != null) {
                    unit.fail(denied);
                } else {
                    notExecuted(unit, 0);
                }
            }
            case MOVED -> {
                routes.learn(unit.slot(), Endpoint.parse(error.target(), endpoint));
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
        return FIRST_PAUSE_NANOS << Math.min(unit.members.getFirst().attempts, 4);
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

    private void putBack() {
        if (!returned.isEmpty()) {
            queue.putBack(returned);
            returned.clear();
        }
    }

    /** The connection broke after the request was sent. */
    private void lost(Request request, Throwable cause) {
        if (request.mayBeSentTwice()) {
            request.markLost();
            returned.add(request);
        } else {
            shared.stats.unknown.increment();
            request.fail(
                    new OutcomeUnknownException(
                            "The connection to Redis at "
                                    + endpoint
                                    + " was lost before the answer ("
                                    + cause.getMessage()
                                    + "); the write may or may not have happened."));
        }
    }

    /** What to do when we have a bug: nobody is left waiting. */
    void abandon(Throwable cause) {
        connection.drop();
        for (Unit unit : inFlight) {
            for (Request member : unit.members) {
                if (!member.answer.isDone() && !returned.contains(member)) {
                    lost(member, cause);
                }
            }
        }
        inFlight = List.of();
        putBack();
    }

    /**
     * Sends one request to the node that a migrating slot points to, and waits for it. False if it
     * was not executed and has to be sent again.
     */
    private boolean detour(Request request, Endpoint to) {
        Unit unit = new Unit(request, request.grouped);
        try {
            Wire side = connection.detour(to);
            side.expectWithin(shared.answerNanos());
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
            Wire side = connection.closeDetour(to);
            if (side != null && unit.writes()) {
                connection.brokeWithWrites(to, side);
            }
            lost(request, e);
            return !request.mayBeSentTwice();
        } catch (RedisException e) {
            connection.closeDetour(to);
            notExecuted(unit, backOff(unit));
            return false;
        }
    }
}
