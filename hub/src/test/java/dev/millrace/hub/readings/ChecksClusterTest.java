package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ChecksClusterTest extends ChecksContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
