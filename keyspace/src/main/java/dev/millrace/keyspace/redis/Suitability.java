package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Topology;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a server is one that may get our writes. Every connection for writes asks before its
 * first one, not only the first at start: after a failover the primary is another server, with
 * another configuration.
 */
final class Suitability {
    private Suitability() {}

    /**
     * Asks on a new connection.
     *
     * @throws RedisException UNAVAILABLE if another server is the primary by now, REFUSED if it
     *     does not keep the promise of our durability
     */
    static void check(Wire wire, Endpoint server, RedisOptions options) {
        if (options.topology() instanceof Topology.Sentinel) {
            mustBePrimary(wire, server);
        }
        if (options.durability() instanceof Durability.Fsync) {
            mustSync(wire, server);
        }
    }

    private static void mustBePrimary(Wire wire, Endpoint server) {
        if (wire.exchange("ROLE") instanceof List<?> role
                && !role.isEmpty()
                && role.getFirst() instanceof byte[] word
                && !new String(word, StandardCharsets.UTF_8).equals("master")) {
            throw new RedisException(
                    Reason.UNAVAILABLE, "Redis at " + server + " is not the primary any more.");
        }
    }

    private static void mustSync(Wire wire, Endpoint server) {
        Map<String, String> config = new HashMap<>();
        Object reply =
                wire.exchange(
                        "CONFIG", "GET", "appendonly", "appendfsync", "no-appendfsync-on-rewrite");
        if (!(reply instanceof List<?> words)) {
            throw new RedisException(
                    Reason.REFUSED,
                    "durability is fsync, and whether Redis at %s keeps that promise cannot be seen:"
                                    .formatted(server)
                            + " its user may not run CONFIG GET. Allow it (+config|get), or choose"
                            + " another durability.");
        }
        for (int i = 0; i + 1 < words.size(); i += 2) {
            config.put(text(words.get(i)), text(words.get(i + 1)));
        }
        must(server, config, "appendonly", "yes");
        must(server, config, "appendfsync", "always");
        must(server, config, "no-appendfsync-on-rewrite", "no");
    }

    private static void must(
            Endpoint server, Map<String, String> config, String setting, String value) {
        String found = config.getOrDefault(setting, "");
        if (!found.equals(value)) {
            throw new RedisException(
                    Reason.REFUSED,
                    ("durability is fsync, and Redis at %s does not keep that promise: its %s is"
                                    + " %s. Type CONFIG SET %s %s in redis-cli, put the same into"
                                    + " its configuration, or choose another durability.")
                            .formatted(server, setting, found, setting, value));
        }
    }

    /** At start: as many replicas as shall confirm each write are there. */
    static void mustHaveReplicas(ServerInfo info, Endpoint server, int replicas) {
        int found = Integer.parseInt(info.fields().getOrDefault("connected_slaves", "0"));
        if (found < replicas) {
            throw new RedisException(
                    Reason.REFUSED,
                    "durability is replicas:%d, and Redis at %s has %d. Start more, or choose another durability."
                            .formatted(replicas, server, found));
        }
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }
}
