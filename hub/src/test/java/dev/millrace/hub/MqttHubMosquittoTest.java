package dev.millrace.hub;

import dev.millrace.hub.mqtt.TestMosquitto;

import org.junit.jupiter.api.AfterEach;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

class MqttHubMosquittoTest extends MqttHubContract {
    private TestMosquitto mosquitto;

    @Override
    List<String> broker(Path directory) {
        mosquitto = TestMosquitto.start(directory);
        return List.of("mqtt.url=" + mosquitto.address());
    }

    @Override
    int port() {
        return URI.create(mosquitto.address()).getPort();
    }

    @AfterEach
    void end() {
        mosquitto.close();
    }
}
