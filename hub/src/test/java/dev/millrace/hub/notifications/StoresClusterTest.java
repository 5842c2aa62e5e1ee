package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class StoresClusterTest extends StoresContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
