package dev.millrace.keyspace.redis.options;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How to reach Redis and how much to ask of it. Built from a URL ({@link #of(String)}) and changed
 * by {@code with…}; every default is meant for a gateway and for a server alike.
 *
 * @param endpoints one server, some nodes of a cluster, or sentinels: the topology says which
 * @param tls how connections are encrypted, or null if they are not
 * @param durability what an acknowledgement means
 */
public record RedisOptions(
        List<Endpoint> endpoints,
        Topology topology,
        Login login,
        @Nullable Tls tls,
        Durability durability,
        Limits limits) {

    /**
     * Who we are to the server.
     *
     * @param user the ACL user, or null for the default one
     * @param password the password, or null for none
     * @param database the database number; only 0 exists in a cluster
     */
    public record Login(@Nullable String user, @Nullable String password, int database) {
        @Override
        public String toString() {
            return "Login[user=%s, database=%d]".formatted(user, database);
        }
    }

    /**
     * How much at once, and how long.
     *
     * @param lanes connections per primary; an owner always uses the same one
     * @param queue requests that may wait on one lane before new ones are refused
     * @param patience how long a request may wait before it is sent; also how long one that the
     *     server did not take (it is loading, a slot is on its way) is tried again
     * @param answerTime how long a server may take to answer a batch before the connection is given
     *     up
     * @param connectTime how long opening a connection may take
     * @param replicaTime how long replicas may take to confirm a write
     */
    public record Limits(
            int lanes,
            int queue,
            Duration patience,
            Duration answerTime,
            Duration connectTime,
            Duration replicaTime) {

        /**
         * Two lanes, one being answered while the other one gathers: a server has one thread to
         * work with, and the larger the batches, the less of it, and of us, each request costs.
         */
        static final Limits DEFAULTS =
                new Limits(
                        2,
                        16_384,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(1));

        public Limits {
            if (lanes < 1 || lanes > 64) {
                throw new IllegalArgumentException(
                        "Lanes per primary must be 1 to 64, not " + lanes);
            }
        }
    }

    public RedisOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("Redis needs at least one address.");
        }
        if (topology instanceof Topology.Cluster && login.database != 0) {
            throw new IllegalArgumentException("Redis Cluster has database 0 only.");
        }
    }

    /**
     * Reads {@code redis://[user:password@]host[:port][/db]}, {@code
     * redis-cluster://[user:password@]host:port,host:port} or {@code
     * redis-sentinel://[user:password@]host:port,host:port/name[/db]}; with {@code rediss} instead
     * of {@code redis} the connections are encrypted.
     *
     * @throws IllegalArgumentException with a sentence that names the mistake, without the password
     */
    public static RedisOptions of(String url) {
        return RedisUrl.parse(url);
    }

    public static RedisOptions of(Endpoint endpoint, @Nullable String password) {
        return new RedisOptions(
                List.of(endpoint),
                new Topology.Single(),
                new Login(null, password, 0),
                null,
                new Durability.Memory(),
                Limits.DEFAULTS);
    }

    public boolean cluster() {
        return topology instanceof Topology.Cluster;
    }

    public @Nullable String user() {
        return login.user;
    }

    public @Nullable String password() {
        return login.password;
    }

    public int database() {
        return login.database;
    }

    public int lanes() {
        return limits.lanes;
    }

    public int queue() {
        return limits.queue;
    }

    public Duration patience() {
        return limits.patience;
    }

    public Duration answerTime() {
        return limits.answerTime;
    }

    public Duration connectTime() {
        return limits.connectTime;
    }

    public RedisOptions withLanes(int count) {
        return with(
                new Limits(
                        count,
                        limits.queue,
                        limits.patience,
                        limits.answerTime,
                        limits.connectTime,
                        limits.replicaTime));
    }

    public RedisOptions withQueue(int length) {
        return with(
                new Limits(
                        limits.lanes,
                        length,
                        limits.patience,
                        limits.answerTime,
                        limits.connectTime,
                        limits.replicaTime));
    }

    public RedisOptions withTimes(Duration patience, Duration answerTime) {
        return with(
                new Limits(
                        limits.lanes,
                        limits.queue,
                        patience,
                        answerTime,
                        limits.connectTime,
                        limits.replicaTime));
    }

    public RedisOptions withReplicaTime(Duration replicaTime) {
        return with(
                new Limits(
                        limits.lanes,
                        limits.queue,
                        limits.patience,
                        limits.answerTime,
                        limits.connectTime,
                        replicaTime));
    }

    private RedisOptions with(Limits changed) {
        return new RedisOptions(endpoints, topology, login, tls, durability, changed);
    }

    public RedisOptions withDurability(Durability changed) {
        return new RedisOptions(endpoints, topology, login, tls, changed, limits);
    }

    public RedisOptions withTls(@Nullable Tls changed) {
        return new RedisOptions(endpoints, topology, login, changed, durability, limits);
    }

    /**
     * With the password of the sentinels themselves.
     *
     * @throws IllegalArgumentException if there are none
     */
    public RedisOptions withSentinelPassword(String password) {
        if (!(topology instanceof Topology.Sentinel(String name, var before))) {
            throw new IllegalArgumentException(
                    "A password for sentinels needs a redis-sentinel:// URL.");
        }
        Topology changed = new Topology.Sentinel(name, password);
        return new RedisOptions(endpoints, changed, login, tls, durability, limits);
    }

    /** The same for the sentinels, who know no users and databases of the server. */
    public RedisOptions forSentinels(Topology.Sentinel sentinel) {
        Login plain = new Login(null, sentinel.password(), 0);
        return new RedisOptions(endpoints, sentinel, plain, tls, new Durability.Memory(), limits);
    }

    /** As a URL, without the password, which never reaches a log. */
    @Override
    public String toString() {
        String hosts = endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(","));
        String database = login.database == 0 ? "" : "/" + login.database;
        String scheme = tls == null ? "redis" : "rediss";
        return switch (topology) {
            case Topology.Single single -> scheme + "://" + hosts + database;
            case Topology.Cluster cluster -> scheme + "-cluster://" + hosts;
            case Topology.Sentinel(String name, var password) ->
                    scheme + "-sentinel://" + hosts + "/" + name + database;
        };
    }
}
