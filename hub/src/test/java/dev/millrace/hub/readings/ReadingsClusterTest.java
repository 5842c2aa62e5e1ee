package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ReadingsClusterTest extends ReadingsContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
