package dev.millrace.hub.work;

import dev.millrace.keyspace.testing.SharedServers;

class RetentionClusterTest extends RetentionContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
