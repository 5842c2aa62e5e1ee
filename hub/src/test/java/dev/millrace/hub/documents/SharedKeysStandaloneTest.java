package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class SharedKeysStandaloneTest extends SharedKeysContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
