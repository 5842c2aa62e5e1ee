package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class DocumentsModelClusterTest extends DocumentsModelContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
