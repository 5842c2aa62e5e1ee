package dev.millrace.hub.live;

import dev.millrace.keyspace.testing.OnEachSite;

import java.util.Optional;

@OnEachSite
final class SseTest extends LiveContract {
    @Override
    Listener connect(String url, String feeds, String after, Optional<String> token) {
        return SseListener.open(url, feeds, after, token);
    }
}
