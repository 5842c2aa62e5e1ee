package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class NotificationsModelStandaloneTest extends NotificationsModelContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
