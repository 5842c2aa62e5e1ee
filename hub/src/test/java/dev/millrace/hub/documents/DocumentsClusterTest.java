package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class DocumentsClusterTest extends DocumentsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
