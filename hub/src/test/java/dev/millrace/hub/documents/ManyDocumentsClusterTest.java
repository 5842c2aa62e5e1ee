package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class ManyDocumentsClusterTest extends ManyDocumentsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
