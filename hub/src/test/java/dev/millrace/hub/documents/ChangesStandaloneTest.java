package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class ChangesStandaloneTest extends ChangesContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
