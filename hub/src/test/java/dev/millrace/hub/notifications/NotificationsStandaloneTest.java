package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class NotificationsStandaloneTest extends NotificationsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
