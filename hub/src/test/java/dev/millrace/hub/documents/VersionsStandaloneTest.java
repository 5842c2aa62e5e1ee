package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;

final class VersionsStandaloneTest extends VersionsContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
