package dev.millrace.hub.live;

import dev.millrace.keyspace.testing.SharedServers;

import java.util.Optional;

class TalkStandaloneTest extends LiveContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }

    @Override
    Listener connect(String url, String feeds, String after, Optional<String> token) {
        return TalkListener.open(url, feeds, after, token);
    }
}
