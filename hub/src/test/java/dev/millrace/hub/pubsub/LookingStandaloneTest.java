package dev.millrace.hub.pubsub;

import dev.millrace.keyspace.testing.SharedServers;

import org.jspecify.annotations.Nullable;

final class LookingStandaloneTest extends LookingContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }

    @Override
    @Nullable Object redis(String... words) {
        return SharedServers.standalone().command(words);
    }
}
