package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ValueDescriptorsClusterTest extends ValueDescriptorsContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
