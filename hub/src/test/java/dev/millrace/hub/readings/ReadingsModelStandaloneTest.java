package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ReadingsModelStandaloneTest extends ReadingsModelContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
