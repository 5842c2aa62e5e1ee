package dev.millrace.hub.documents;

import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import java.util.List;

final class DocumentEventsClusterTest extends DocumentEventsContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }

    /** In the one shard that has facts. */
    @Override
    void write(String key, String field, String value) {
        String feed = "millrace:feed:" + DocumentWrites.TOPIC.name();
        for (TestServer node : SharedServers.cluster().nodes()) {
            for (Object found : (List<?>) node.command("KEYS", "*}" + feed)) {
                String full = String.valueOf(found).replace(feed, key);
                node.command("HSET", full, field, value);
            }
        }
    }
}
