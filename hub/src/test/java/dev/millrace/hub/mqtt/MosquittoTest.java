package dev.millrace.hub.mqtt;

import java.nio.file.Path;

class MosquittoTest extends MqttContract {
    @Override
    TestBroker start(Path directory, String... largest) {
        return largest.length == 0
                ? TestMosquitto.start(directory)
                : TestMosquitto.start(directory, "max_packet_size 65536");
    }
}
