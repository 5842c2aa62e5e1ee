package dev.millrace.hub;

import dev.millrace.keyspace.testing.SharedServers;

class MqttHubClusterTest extends MqttHubMosquittoTest {

    @Override
    String redis() {
        return SharedServers.cluster().url();
    }
}
