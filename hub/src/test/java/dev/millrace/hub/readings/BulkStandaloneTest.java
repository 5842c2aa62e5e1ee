package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class BulkStandaloneTest extends BulkContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
