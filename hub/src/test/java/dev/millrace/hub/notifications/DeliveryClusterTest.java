package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class DeliveryClusterTest extends DeliveryContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
