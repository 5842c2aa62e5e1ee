package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ChecksStandaloneTest extends ChecksContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
