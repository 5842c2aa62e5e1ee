package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class SubscriptionsClusterTest extends SubscriptionsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
