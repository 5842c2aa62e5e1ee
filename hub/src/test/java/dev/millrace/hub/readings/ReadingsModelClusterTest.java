package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ReadingsModelClusterTest extends ReadingsModelContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
