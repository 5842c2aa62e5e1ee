package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class ManyDocumentsStandaloneTest extends ManyDocumentsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
