package dev.millrace.keyspace.redis.options;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Takes a Redis URL apart. Its own parser, because a cluster URL lists several hosts. */
final class RedisUrl {
    private static final int DEFAULT_PORT = 6379;
    private static final int SENTINEL_PORT = 26379;

    private final String scheme;
    private final String credentials;
    private final String hosts;
    private final String path;

    private RedisUrl(String url) {
        int colon = url.indexOf("://");
        scheme = colon < 0 ? "" : url.substring(0, colon);
        String rest = colon < 0 ? url : url.substring(colon + 3);
        int at = rest.lastIndexOf('@');
        credentials = at < 0 ? "" : rest.substring(0, at);
        String place = rest.substring(at + 1);
        int slash = place.indexOf('/');
        hosts = slash < 0 ? place : place.substring(0, slash);
        path = slash < 0 ? "" : place.substring(slash + 1);
    }

    static RedisOptions parse(String url) {
        return new RedisUrl(url).options();
    }

    private RedisOptions options() {
        String kind = scheme.startsWith("rediss") ? "redis" + scheme.substring(6) : scheme;
        return switch (kind) {
            case "redis" -> options(new Topology.Single(), DEFAULT_PORT, path);
            case "redis-cluster" -> options(new Topology.Cluster(), DEFAULT_PORT, path);
            case "redis-sentinel" -> {
                int slash = path.indexOf('/');
                String name = decode(slash < 0 ? path : path.substring(0, slash));
                if (name.isEmpty()) {
                    throw new IllegalArgumentException(
                            "redis-sentinel:// needs the name of the primary at its end:"
                                    + " redis-sentinel://host:port,host:port/mymaster.");
                }
                yield options(
                        new Topology.Sentinel(name, null),
                        SENTINEL_PORT,
                        slash < 0 ? "" : path.substring(slash + 1));
            }
            default ->
                    throw new IllegalArgumentException(
                            "A Redis URL begins with redis://, redis-cluster:// or"
                                    + " redis-sentinel:// (rediss… if it is encrypted), not '"
                                    + (scheme.isEmpty() ? "" : scheme + "://")
                                    + "'.");
        };
    }

    private RedisOptions options(Topology topology, int port, String database) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            endpoints.add(endpoint(host.strip(), port));
        }
        if (topology instanceof Topology.Single && endpoints.size() > 1) {
            throw new IllegalArgumentException(
                    "redis:// takes one address; write redis-cluster:// for the nodes of a"
                            + " cluster.");
        }
        int split = credentials.indexOf(':');
        String user = split < 0 ? "" : decode(credentials.substring(0, split));
        String password = decode(split < 0 ? credentials : credentials.substring(split + 1));
        return new RedisOptions(
                endpoints,
                topology,
                new RedisOptions.Login(orNull(user), orNull(password), number(database)),
                scheme.startsWith("rediss") ? Tls.standard() : null,
                new Durability.Memory(),
                RedisOptions.Limits.DEFAULTS);
    }

    private static Endpoint endpoint(String text, int port) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    "The Redis URL names no host; write redis://host:port.");
        }
        boolean bare = text.startsWith("[") ? text.endsWith("]") : text.indexOf(':') < 0;
        return Endpoint.parse(bare ? text + ":" + port : text);
    }

    private static int number(String database) {
        if (database.isEmpty()) {
            return 0;
        }
        try {
            int number = Integer.parseInt(database);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through to the sentence below
        }
        throw new IllegalArgumentException(
                "'"
                        + database
                        + "' is not a valid database number; the URL ends in /0, /1 and so on.");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
