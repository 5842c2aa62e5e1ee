package dev.millrace.hub.access;

import dev.millrace.keyspace.testing.SharedServers;

class TokensStandaloneTest extends TokensContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
