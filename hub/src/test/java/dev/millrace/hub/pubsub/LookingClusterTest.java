package dev.millrace.hub.pubsub;

import dev.millrace.keyspace.testing.SharedServers;

import org.jspecify.annotations.Nullable;

final class LookingClusterTest extends LookingContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }

    @Override
    @Nullable Object redis(String... words) {
        return SharedServers.cluster().commandFor(words[1], words);
    }
}
