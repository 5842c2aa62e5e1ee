package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class SameSlugStandaloneTest extends SameSlugContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
