package dev.millrace.keyspace.redis;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Takes a Redis URL apart. Its own parser, because a cluster URL lists several hosts. */
final class RedisUrl {
    private static final int DEFAULT_PORT = 6379;

    private RedisUrl() {}

    static RedisOptions parse(String url) {
        int colon = url.indexOf("://");
        String scheme = colon < 0 ? "" : url.substring(0, colon);
        boolean cluster =
                switch (scheme) {
                    case "redis" -> false;
                    case "redis-cluster" -> true;
                    default ->
                            throw new IllegalArgumentException(
                                    "A Redis URL begins with redis:// or redis-cluster://, not '"
                                            + (colon < 0 ? "" : scheme + "://")
                                            + "'.");
                };
        String rest = url.substring(colon + 3);
        int at = rest.lastIndexOf('@');
        String credentials = at < 0 ? "" : rest.substring(0, at);
        String place = rest.substring(at + 1);
        int slash = place.indexOf('/');
        String hosts = slash < 0 ? place : place.substring(0, slash);
        String database = slash < 0 ? "" : place.substring(slash + 1);

        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            endpoints.add(endpoint(host.strip()));
        }
        if (!cluster && endpoints.size() > 1) {
            throw new IllegalArgumentException(
                    "redis:// takes one address; write redis-cluster:// for the nodes of a"
                            + " cluster.");
        }
        int split = credentials.indexOf(':');
        String user = split < 0 ? "" : decode(credentials.substring(0, split));
        String password = decode(split < 0 ? credentials : credentials.substring(split + 1));
        return RedisOptions.defaults(
                endpoints, cluster, orNull(user), orNull(password), number(database));
    }

    private static Endpoint endpoint(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    "The Redis URL names no host; write redis://host:port.");
        }
        boolean bare = text.startsWith("[") ? text.endsWith("]") : text.indexOf(':') < 0;
        return Endpoint.parse(bare ? text + ":" + DEFAULT_PORT : text);
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
                "'" + database + "' is no database number; the URL ends in /0, /1 and so on.");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
