package dev.millrace.keyspace.testing;

import org.jspecify.annotations.Nullable;

/**
 * One server and one cluster for all tests of the JVM, started when first asked for and ended with
 * the JVM. Whoever uses them starts with {@link #flushAll}, leaves their configuration as it was,
 * and does not kill, pause or fill them; for that a test starts its own.
 */
public final class SharedServers {
    private static @Nullable TestServer standalone;
    private static @Nullable TestCluster cluster;

    private SharedServers() {}

    public static synchronized TestServer standalone() {
        TestServer server = standalone;
        if (server == null) {
            server = TestServer.start();
            standalone = server;
        }
        return server;
    }

    /** Three primaries, no replicas. */
    public static synchronized TestCluster cluster() {
        TestCluster nodes = cluster;
        if (nodes == null) {
            // Nobody fails over here: a busy machine must not look like a dead node.
            nodes = TestCluster.start("cluster-node-timeout 30000");
            cluster = nodes;
        }
        return nodes;
    }

    /** Empties those of the two that were started. */
    public static synchronized void flushAll() {
        if (standalone != null) {
            standalone.flushAll();
        }
        if (cluster != null) {
            cluster.flushAll();
        }
    }
}
