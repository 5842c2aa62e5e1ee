package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class ReadingsRetentionStandaloneTest extends ReadingsRetentionContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }

    @Override
    void breakEvent(String id) {
        SharedServers.standalone().command("SET", id, "{");
    }
}
