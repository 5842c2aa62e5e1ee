package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class EventsStandaloneTest extends EventsContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
