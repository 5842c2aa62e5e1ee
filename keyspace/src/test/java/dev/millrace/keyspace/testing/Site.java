package dev.millrace.keyspace.testing;

import dev.millrace.keyspace.redis.Redis;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The two kinds of Redis on which every contract holds. */
public enum Site {
    STANDALONE {
        @Override
        public String url() {
            return SharedServers.standalone().url();
        }
    },
    CLUSTER {
        @Override
        public String url() {
            return SharedServers.cluster().url();
        }
    };

    public abstract String url();

    public Redis connect() {
        return Redis.open(Patience.options(url()));
    }

    public boolean cluster() {
        return this == CLUSTER;
    }

    private List<TestServer> servers() {
        return this == STANDALONE
                ? List.of(SharedServers.standalone())
                : SharedServers.cluster().nodes();
    }

    private static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }

    /** Every key there is. */
    public Set<String> allKeys() {
        Set<String> keys = new TreeSet<>();
        for (TestServer server : servers()) {
            list(server.command("KEYS", "*")).forEach(key -> keys.add(String.valueOf(key)));
        }
        return keys;
    }

    /** Everything there is: for each key its text, fields, scores, members or elements. */
    public Map<String, Object> dump() {
        Map<String, Object> all = new TreeMap<>();
        for (TestServer server : servers()) {
            for (Object each : list(server.command("KEYS", "*"))) {
                String key = String.valueOf(each);
                all.put(key, Objects.requireNonNull(content(server, key)));
            }
        }
        return all;
    }

    private static @Nullable Object content(TestServer server, String key) {
        String type = String.valueOf(server.command("TYPE", key));
        return switch (type) {
            case "string" -> server.command("GET", key);
            case "hash" -> pairs(server.command("HGETALL", key));
            case "zset" -> {
                Map<Object, Object> scores =
                        pairs(server.command("ZRANGE", key, "0", "-1", "WITHSCORES"));
                scores.replaceAll((member, score) -> Double.valueOf(String.valueOf(score)));
                yield scores;
            }
            case "set" -> new TreeSet<>(list(server.command("SMEMBERS", key)));
            case "list" -> server.command("LRANGE", key, "0", "-1");
            default -> type;
        };
    }

    private static Map<Object, Object> pairs(@Nullable Object reply) {
        List<?> flat = list(reply);
        Map<Object, Object> pairs = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            pairs.put(flat.get(i), flat.get(i + 1));
        }
        return pairs;
    }

    /** The same with words that are no text. */
    public void commandBytes(String key, byte[]... words) {
        if (this == STANDALONE) {
            SharedServers.standalone().commandBytes(words);
        } else {
            TestCluster cluster = SharedServers.cluster();
            cluster.slotOwner(cluster.slotOf(key)).commandBytes(words);
        }
    }

    /** A raw command, beside the engine, to the server that has the key. */
    public @Nullable Object command(String key, String... command) {
        return this == STANDALONE
                ? SharedServers.standalone().command(command)
                : SharedServers.cluster().commandFor(key, command);
    }
}
