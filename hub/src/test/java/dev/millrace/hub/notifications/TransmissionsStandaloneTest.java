package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class TransmissionsStandaloneTest extends TransmissionsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
