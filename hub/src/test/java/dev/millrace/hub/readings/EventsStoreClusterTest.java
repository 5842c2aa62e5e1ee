package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class EventsStoreClusterTest extends EventsStoreContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
