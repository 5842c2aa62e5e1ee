package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

class DocumentEventsStandaloneTest extends DocumentEventsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }

    @Override
    void write(String key, String field, String value) {
        SharedServers.standalone().command("HSET", key, field, value);
    }
}
