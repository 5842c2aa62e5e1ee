package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Topology;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connection to Redis, the same for a single server and for a cluster.
 *
 * <p>Requests of concurrent callers leave together: a caller puts its request into the queue of a
 * {@link Lane}, blocks (cheap on a virtual thread), and finds its answer there. Writes of one owner
 * are executed in the order in which they were submitted. Nothing is sent twice that must not be
 * executed twice, and nobody waits longer than {@link RedisOptions#patience} plus {@link
 * RedisOptions#answerTime}.
 *
 * <p>Thread-safe. One instance serves a whole process.
 */
public final class Redis implements AutoCloseable {
    private final Router router;
    private final RedisOptions options;
    private final ServerInfo server;

    private Redis(RedisOptions options, ServerInfo server) {
        this.options = options;
        this.server = server;
        this.router = new Router(options);
    }

    /**
     * Connects and looks at the server.
     *
     * @throws RedisException with a sentence for a person: not reached, password refused, too old,
     *     a cluster where a single server was named or the other way round
     */
    public static Redis open(RedisOptions options) {
        ServerInfo info;
        try (Watchdog watchdog = new Watchdog()) {
            info = firstAnswer(options, watchdog);
        }
        if (!info.recentEnough()) {
            throw new RedisException(
                    Reason.REFUSED,
                    "This is %s %s; Redis 7.0 or Valkey 7.2 is the oldest that works."
                            .formatted(info.product(), info.version()));
        }
        if (info.cluster() && !options.cluster()) {
            throw new RedisException(
                    Reason.REFUSED,
                    "This server is a node of a cluster; write redis-cluster:// instead of"
                            + " redis://.");
        }
        Redis redis = new Redis(options, info);
        try {
            redis.mustKeepPromises();
            return redis;
        } catch (RedisException e) {
            redis.close();
            throw e;
        }
    }

    /**
     * Whether every primary is as durable as was asked for. Looked at when it is opened; somebody
     * may change a server later.
     *
     * @throws RedisException with a sentence that says what to type
     */
    public void mustKeepPromises() {
        if (options.durability() instanceof Durability.Memory) {
            return;
        }
        for (Endpoint primary : router.primaries()) {
            ServerInfo info =
                    ask(
                            primary,
                            options,
                            router.shared.watchdog,
                            wire -> Suitability.check(wire, primary, options));
            Suitability.mustHaveReplicas(info, primary, options.durability().replicas());
        }
    }

    private static ServerInfo firstAnswer(RedisOptions options, Watchdog watchdog) {
        RedisException failure = new RedisException(Reason.UNAVAILABLE, "Redis gave no answer.");
        for (Endpoint endpoint : firstServers(options, watchdog)) {
            try {
                return ask(endpoint, options, watchdog, wire -> {});
            } catch (RedisException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private static List<Endpoint> firstServers(RedisOptions options, Watchdog watchdog) {
        if (options.topology() instanceof Topology.Sentinel named) {
            try (Sentinels sentinels = new Sentinels(options, named, watchdog)) {
                return List.of(sentinels.primary());
            }
        }
        return options.endpoints();
    }

    private static ServerInfo ask(
            Endpoint server, RedisOptions options, Watchdog watchdog, Consumer<Wire> question) {
        try (Wire wire = Wire.open(server, options, watchdog)) {
            wire.expectWithin(options.answerTime().toNanos());
            question.accept(wire);
            return switch (wire.exchange("INFO")) {
                case byte[] text -> ServerInfo.parse(new String(text, StandardCharsets.UTF_8));
                case ErrorReply error -> throw error.asException();
                case null, default ->
                        throw new RedisException(
                                Reason.UNAVAILABLE, "Redis at " + server + " says nothing.");
            };
        } catch (Wire.BrokenWireException e) {
            throw new RedisException(
                    Reason.UNAVAILABLE,
                    "Redis at " + server + " gave no answer: " + e.getMessage(),
                    e);
        }
    }

    /** Sends the request and waits. */
    public @Nullable Object call(Request request) {
        router.submit(request);
        return request.await();
    }

    /**
     * Sends the request and returns at once. What is attached to the future runs on the lane's
     * thread and must not block.
     */
    public CompletableFuture<@Nullable Object> send(Request request) {
        router.submit(request);
        return request.answer;
    }

    /**
     * Sends two requests of one order and one slot and returns at once. One by one the first would
     * often wake the lane and leave alone, and the second cost another round trip.
     */
    public void submit(Request first, Request second) {
        router.submit(first, second);
    }

    /** Sends the request; {@link Request#await} waits for its answer. */
    public void submit(Request request) {
        router.submit(request);
    }

    /** Sends all requests, then waits for all answers: one round trip for each lane. */
    public List<@Nullable Object> callAll(List<Request> requests) {
        requests.forEach(router::submit);
        return requests.stream().<@Nullable Object>map(Request::await).toList();
    }

    /**
     * Commands that every new connection sends before it loads scripts; what a node does not own it
     * refuses, which does not matter. Connections that are open already do not send them.
     */
    public void atConnect(List<byte[][]> commands) {
        router.shared.atConnect(commands);
    }

    /**
     * Who is asked why Redis does not answer: whoever runs the server knows more than a connection
     * can see. It must not block: a lane waits for it.
     */
    public void explainedBy(Supplier<Optional<ServerTrouble>> source) {
        router.shared.explanation = source;
    }

    public boolean cluster() {
        return options.cluster();
    }

    public ServerInfo server() {
        return server;
    }

    public RedisOptions options() {
        return options;
    }

    /** The servers that hold data: one, or the primaries of the cluster as they are now. */
    public List<Endpoint> primaries() {
        return router.primaries();
    }

    /**
     * What keeps each sentinel from bringing about a failover, in its own words; nothing if it can.
     * Empty where there are no sentinels.
     */
    public Map<Endpoint, String> sentinelViews() {
        return router.sentinelViews();
    }

    /** A connection of the caller's own to one server. */
    public OwnConnection own(Endpoint endpoint) {
        return new OwnConnection(endpoint, options, router.shared.watchdog);
    }

    /** A connection of the caller's own to the primary of a slot; any slot on a single server. */
    public OwnConnection own(int slot) {
        return own(router.primaryOf(options.cluster() ? slot : 0));
    }

    /** Asks one server for a snapshot of all that it holds now. */
    public Snapshot snapshot(Endpoint endpoint) {
        return new Snapshot(endpoint, options, router.shared.watchdog);
    }

    /** Listens to these channels, and to others as they are wanted. */
    public Subscription subscribe(List<String> channels, Subscription.Listener listener) {
        return new Subscription(channels, router, listener);
    }

    /** Hears which keys with one of these beginnings are written; not in a cluster. */
    public Tracking track(Collection<String> prefixes, Tracking.Listener listener) {
        return new Tracking(prefixes, router, listener);
    }

    /**
     * The counters of this connection.
     *
     * @param waiting requests in the queues now
     * @param requests sent so far
     * @param batches in which they were sent
     * @param roundTripNanos how long all batches together took, from sending to the last answer
     * @param connects connections opened, the first ones included
     * @param refused requests refused because a queue was full
     * @param unknown requests whose outcome was lost with a connection
     * @param unconfirmed writes that are stored, but not confirmed by as many replicas as asked for
     */
    public record Figures(
            long waiting,
            long requests,
            long batches,
            long roundTripNanos,
            long connects,
            long refused,
            long unknown,
            long unconfirmed) {}

    public Figures figures() {
        RedisStats stats = router.shared.stats;
        return new Figures(
                router.waiting(),
                stats.requests.sum(),
                stats.batches.sum(),
                stats.roundTripNanos.sum(),
                stats.connects.sum(),
                stats.refused.sum(),
                stats.unknown.sum(),
                stats.unconfirmed.sum());
    }

    /** How long the slowest batch took, in nanoseconds, since this was asked the last time. */
    public long takeSlowestRoundTrip() {
        return router.shared.stats.slowestNanos.getThenReset();
    }

    @Override
    public void close() {
        router.close();
    }
}
