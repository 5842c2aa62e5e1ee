package dev.millrace.keyspace.redis;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * How to reach Redis and how much to ask of it at once. Built from a URL ({@link #of(String)}) and
 * changed by {@code with…}; every default is meant for a gateway and for a server alike.
 *
 * @param endpoints one server, or some nodes of a cluster from which the others are learned
 * @param cluster whether the endpoints are nodes of a Redis Cluster
 * @param user the ACL user, or null for the default one
 * @param password the password, or null for none
 * @param database the database number; only 0 exists in a cluster
 * @param lanes connections per primary; an owner always uses the same one
 * @param queue requests that may wait on one lane before new ones are refused
 * @param patience how long a request may wait before it is sent; also how long one that the server
 *     did not take (it is loading, a slot is on its way) is tried again
 * @param answerTime how long a server may take to answer a batch before the connection is given up
 * @param connectTime how long opening a connection may take
 */
public record RedisOptions(
        List<Endpoint> endpoints,
        boolean cluster,
        @Nullable String user,
        @Nullable String password,
        int database,
        int lanes,
        int queue,
        Duration patience,
        Duration answerTime,
        Duration connectTime) {

    public RedisOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("Redis needs at least one address.");
        }
        if (cluster && database != 0) {
            throw new IllegalArgumentException("Redis Cluster has database 0 only.");
        }
        if (lanes < 1 || lanes > 64) {
            throw new IllegalArgumentException("Lanes per primary must be 1 to 64, not " + lanes);
        }
    }

    /**
     * Reads {@code redis://[user:password@]host[:port][/db]} or {@code
     * redis-cluster://[user:password@]host:port,host:port}.
     *
     * @throws IllegalArgumentException with a sentence that names the mistake, without the password
     */
    public static RedisOptions of(String url) {
        return RedisUrl.parse(url);
    }

    public static RedisOptions of(Endpoint endpoint, @Nullable String password) {
        return defaults(List.of(endpoint), false, null, password, 0);
    }

    static RedisOptions defaults(
            List<Endpoint> endpoints,
            boolean cluster,
            @Nullable String user,
            @Nullable String password,
            int database) {
        return new RedisOptions(
                endpoints,
                cluster,
                user,
                password,
                database,
                4,
                16_384,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
    }

    public RedisOptions withLanes(int count) {
        return new RedisOptions(
                endpoints,
                cluster,
                user,
                password,
                database,
                count,
                queue,
                patience,
                answerTime,
                connectTime);
    }

    public RedisOptions withQueue(int length) {
        return new RedisOptions(
                endpoints,
                cluster,
                user,
                password,
                database,
                lanes,
                length,
                patience,
                answerTime,
                connectTime);
    }

    public RedisOptions withTimes(Duration newPatience, Duration newAnswerTime) {
        return new RedisOptions(
                endpoints,
                cluster,
                user,
                password,
                database,
                lanes,
                queue,
                newPatience,
                newAnswerTime,
                connectTime);
    }

    /** Everything but the password, which never reaches a log. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(cluster ? "redis-cluster://" : "redis://");
        for (int i = 0; i < endpoints.size(); i++) {
            text.append(i == 0 ? "" : ",").append(endpoints.get(i));
        }
        return database == 0 ? text.toString() : text.append('/').append(database).toString();
    }
}
