package dev.millrace.hub.live;

import dev.millrace.keyspace.testing.SharedServers;

import java.util.Optional;

class SseClusterTest extends LiveContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }

    @Override
    Listener connect(String url, String feeds, String after, Optional<String> token) {
        return SseListener.open(url, feeds, after, token);
    }
}
