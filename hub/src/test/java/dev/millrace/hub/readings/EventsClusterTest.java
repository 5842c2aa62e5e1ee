package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class EventsClusterTest extends EventsContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
