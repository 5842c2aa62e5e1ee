package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class TransmissionsClusterTest extends TransmissionsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
