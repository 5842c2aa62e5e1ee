package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;


import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** The embedded broker in a hub as a person starts it. */
class MqttRunTest {
    @TempDir Path directory;

    private static String redis() {
        return "redis.url=" + SharedServers.standalone().url();
    }

    @Test
    void a_port_that_is_taken_is_a_sentence() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Millrace.Ended ended =
                    Millrace.run(
                            directory,
                            "run",
                            "--set",
                            redis(),
                            "--set",
                            "mqtt.embedded.port=" + taken.getLocalPort());
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.err())
                    .contains(
                            "Cannot listen on 127.0.0.1:%d for MQTT"
                                    .formatted(taken.getLocalPort()),
                            "--set mqtt.embedded.port=1884 takes another one")
                    .doesNotContain("\tat ");
        }
    }
}
