package dev.millrace.keyspace;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The two kinds of Redis on which every contract holds. */
enum Site {
    STANDALONE {
        @Override
        String url() {
            return SharedServers.standalone().url();
        }
    },
    CLUSTER {
        @Override
        String url() {
            return SharedServers.cluster().url();
        }
    };

    abstract String url();

    Redis connect() {
        return Redis.open(RedisOptions.of(url()));
    }

    boolean cluster() {
        return this == CLUSTER;
    }

    /** Every key there is. */
    Set<String> allKeys() {
        List<TestServer> servers =
                this == STANDALONE
                        ? List.of(SharedServers.standalone())
                        : SharedServers.cluster().nodes();
        Set<String> keys = new TreeSet<>();
        for (TestServer server : servers) {
            ((List<?>) Objects.requireNonNull(server.command("KEYS", "*")))
                    .forEach(key -> keys.add(String.valueOf(key)));
        }
        return keys;
    }

    /** A raw command, beside the engine, to the server that has the key. */
    @Nullable Object command(String key, String... command) {
        return this == STANDALONE
                ? SharedServers.standalone().command(command)
                : SharedServers.cluster().commandFor(key, command);
    }
}
