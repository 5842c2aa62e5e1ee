package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class NotificationsClusterTest extends NotificationsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
