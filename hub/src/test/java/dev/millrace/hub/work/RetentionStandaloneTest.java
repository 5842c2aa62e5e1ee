package dev.millrace.hub.work;

import dev.millrace.keyspace.testing.SharedServers;

class RetentionStandaloneTest extends RetentionContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
