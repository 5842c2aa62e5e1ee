package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

import java.util.List;
import java.util.Objects;

class ReadingsRetentionClusterTest extends ReadingsRetentionContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }

    @Override
    void breakEvent(String id) {
        SharedServers.cluster()
                .nodes()
                .forEach(
                        node -> {
                            Object keys = Objects.requireNonNull(node.command("KEYS", "{*}" + id));
                            ((List<?>) keys)
                                    .forEach(key -> node.command("SET", String.valueOf(key), "{"));
                        });
    }
}
