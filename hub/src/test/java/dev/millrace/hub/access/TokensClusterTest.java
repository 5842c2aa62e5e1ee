package dev.millrace.hub.access;

import dev.millrace.keyspace.testing.SharedServers;

class TokensClusterTest extends TokensContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
