package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class StoresStandaloneTest extends StoresContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
