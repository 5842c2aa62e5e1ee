package dev.millrace.hub;

import dev.millrace.keyspace.testing.TestPorts;

import java.nio.file.Path;
import java.util.List;

class MqttHubEmbeddedTest extends MqttHubContract {
    private int port;

    @Override
    List<String> broker(Path directory) {
        port = TestPorts.take();
        return List.of("mqtt.embedded.port=" + port);
    }

    @Override
    int port() {
        return port;
    }
}
