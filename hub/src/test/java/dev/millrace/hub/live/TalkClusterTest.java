package dev.millrace.hub.live;

import dev.millrace.keyspace.testing.SharedServers;

import java.util.Optional;

class TalkClusterTest extends LiveContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }

    @Override
    Listener connect(String url, String feeds, String after, Optional<String> token) {
        return TalkListener.open(url, feeds, after, token);
    }
}
