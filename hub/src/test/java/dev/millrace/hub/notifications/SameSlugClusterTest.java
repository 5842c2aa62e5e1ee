package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class SameSlugClusterTest extends SameSlugContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
