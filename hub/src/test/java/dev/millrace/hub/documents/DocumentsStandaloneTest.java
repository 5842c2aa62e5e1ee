package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class DocumentsStandaloneTest extends DocumentsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
