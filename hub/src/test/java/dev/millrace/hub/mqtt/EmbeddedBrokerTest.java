package dev.millrace.hub.mqtt;

import java.nio.file.Path;

class EmbeddedBrokerTest extends MqttContract {
    @Override
    TestBroker start(Path directory, String... largest) {
        return new TestEmbedded(
                directory,
                access.gate(),
                largest.length == 0
                        ? MqttSamples.settings("mqtt.embedded.port=0")
                        : MqttSamples.settings(
                                "mqtt.embedded.port=0", "mqtt.embedded.max-message=" + largest[0]));
    }
}
