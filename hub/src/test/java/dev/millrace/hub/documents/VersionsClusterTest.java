package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class VersionsClusterTest extends VersionsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
