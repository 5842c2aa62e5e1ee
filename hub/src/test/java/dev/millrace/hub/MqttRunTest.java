package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** The embedded broker in a hub as a person starts it. */
class MqttRunTest {
    @TempDir Path directory;

    private static String redis() {
        return "redis.url=" + SharedServers.standalone().url();
    }

    private static Mqtt5AsyncClient client(String id, int port) {
        return MqttClient.builder()
                .identifier(id)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .useMqttVersion5()
                .buildAsync();
    }

    private static void connect(Mqtt5AsyncClient client) {
        client.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(3600)
                .send()
                .orTimeout(60, SECONDS)
                .join();
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

    @Test
    void what_the_broker_acknowledged_survives_a_kill() throws Exception {
        int port = TestPorts.take();
        String[] run = {"run", "--set", redis(), "--set", "mqtt.embedded.port=" + port};
        Mqtt5AsyncClient sleeper = client("sleeper", port);
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Millrace hub = Millrace.start(directory, run).awaitReady()) {
            connect(sleeper);
            sleeper.subscribeWith()
                    .topicFilter("plant/#")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .callback(each -> heard.add(new String(each.getPayloadAsBytes(), UTF_8)))
                    .send()
                    .orTimeout(60, SECONDS)
                    .join();
            sleeper.disconnect().join();
            Mqtt5AsyncClient sender = client("sender", port);
            connect(sender);
            for (int i = 0; i < 100; i++) {
                sender.publishWith()
                        .topic("plant/a")
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .payload(Integer.toString(i).getBytes(UTF_8))
                        .send()
                        .orTimeout(60, SECONDS)
                        .join();
            }
            hub.signal("KILL");
            hub.end();
        }
        try (Millrace hub = Millrace.start(directory, run).awaitReady()) {
            assertThat(hub.url()).isNotNull();
            connect(sleeper);
            await().until(() -> heard.size() >= 100);
            assertThat(heard)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 100).mapToObj(Integer::toString).toList());
            sleeper.disconnect().join();
        }
    }
}
