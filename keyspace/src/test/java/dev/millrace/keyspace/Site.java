package dev.millrace.keyspace;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;

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

    /** A raw command, beside the engine, to the server that has the key. */
    Object command(String key, String... command) {
        return this == STANDALONE
                ? SharedServers.standalone().command(command)
                : SharedServers.cluster().commandFor(key, command);
    }
}
