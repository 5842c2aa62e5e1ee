package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class EventsStoreStandaloneTest extends EventsStoreContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
