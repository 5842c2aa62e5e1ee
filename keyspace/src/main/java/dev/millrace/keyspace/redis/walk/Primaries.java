package dev.millrace.keyspace.redis.walk;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.ServerInfo;
import dev.millrace.keyspace.redis.options.Endpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The servers that hold the keys, as they are at one moment.
 *
 * @param identity the server processes, and in a cluster who has which slots. SCAN goes by the
 *     hashes of keys, whose seed every process draws anew: after a restart a cursor leads anywhere,
 *     and after a change of slots keys have gone to where the walk has been already
 * @param keys all keys there are
 */
public record Primaries(List<Endpoint> endpoints, List<String> identity, long keys) {

    public static Primaries of(Redis redis) {
        List<Endpoint> endpoints =
                redis.primaries().stream().sorted(Comparator.comparing(Endpoint::address)).toList();
        List<String> identity = new ArrayList<>();
        long keys = 0;
        for (Endpoint endpoint : endpoints) {
            try (OwnConnection connection = redis.own(endpoint)) {
                String info = Replies.textOrEmpty(connection.call(text("INFO"), text("server")));
                String run = ServerInfo.parse(info).fields().getOrDefault("run_id", "");
                identity.add(endpoint.address() + " " + run);
                keys += Replies.number(connection.call(text("DBSIZE")));
            }
        }
        if (redis.cluster()) {
            try (OwnConnection connection = redis.own(endpoints.getFirst())) {
                for (Object range : Replies.list(connection.call(text("CLUSTER"), text("SLOTS")))) {
                    List<?> parts = Replies.list(range);
                    String primary = Replies.textOrEmpty(Replies.list(parts.get(2)).get(2));
                    identity.add("%s-%s %s".formatted(parts.get(0), parts.get(1), primary));
                }
            }
        }
        identity.sort(null);
        return new Primaries(endpoints, identity, keys);
    }
}
