package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ReadingsStandaloneTest extends ReadingsContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
