package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class MessageChannelClusterTest extends MessageChannelContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }
}
