package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class KeepingClusterTest extends KeepingContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
