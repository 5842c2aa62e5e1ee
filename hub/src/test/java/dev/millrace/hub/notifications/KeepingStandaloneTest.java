package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class KeepingStandaloneTest extends KeepingContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
