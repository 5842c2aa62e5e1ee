package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class DocumentsModelStandaloneTest extends DocumentsModelContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
