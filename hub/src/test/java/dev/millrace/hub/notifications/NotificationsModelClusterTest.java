package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class NotificationsModelClusterTest extends NotificationsModelContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
