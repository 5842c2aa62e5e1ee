package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class SubscriptionsStandaloneTest extends SubscriptionsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
