package dev.millrace.hub.notifications;

import dev.millrace.keyspace.testing.SharedServers;

class MessageChannelStandaloneTest extends MessageChannelContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }
}
