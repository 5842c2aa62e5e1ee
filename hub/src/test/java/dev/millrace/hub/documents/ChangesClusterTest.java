package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class ChangesClusterTest extends ChangesContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
