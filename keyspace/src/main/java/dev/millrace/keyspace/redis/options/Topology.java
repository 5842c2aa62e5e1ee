package dev.millrace.keyspace.redis.options;

import org.jspecify.annotations.Nullable;

/** How the servers are arranged, and with it what the addresses in the options are. */
public sealed interface Topology {

    /** One server, at the one address. */
    record Single() implements Topology {}

    /** Nodes of a Redis Cluster, from which the others are learned. */
    record Cluster() implements Topology {}

    /**
     * Sentinels, who know which server is the primary.
     *
     * @param name of the primary, as the sentinels call it
     * @param password of the sentinels themselves, or null for none
     */
    record Sentinel(String name, @Nullable String password) implements Topology {
        @Override
        public String toString() {
            return "Sentinel[" + name + "]";
        }
    }
}
