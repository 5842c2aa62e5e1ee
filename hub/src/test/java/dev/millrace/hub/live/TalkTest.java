package dev.millrace.hub.live;

import dev.millrace.keyspace.testing.OnEachSite;

import java.util.Optional;

@OnEachSite
final class TalkTest extends LiveContract {
    @Override
    Listener connect(String url, String feeds, String after, Optional<String> token) {
        return TalkListener.open(url, feeds, after, token);
    }
}
