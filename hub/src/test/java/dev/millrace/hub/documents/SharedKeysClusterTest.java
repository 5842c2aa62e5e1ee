package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class SharedKeysClusterTest extends SharedKeysContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
