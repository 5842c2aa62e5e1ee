package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class DeliveryStandaloneTest extends DeliveryContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
