package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class BulkClusterTest extends BulkContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
