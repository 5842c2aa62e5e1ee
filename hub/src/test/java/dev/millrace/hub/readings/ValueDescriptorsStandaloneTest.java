package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ValueDescriptorsStandaloneTest extends ValueDescriptorsContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
