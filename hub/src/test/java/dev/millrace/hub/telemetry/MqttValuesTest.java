package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Values that come by MQTT. */
class MqttValuesTest {
    @TempDir private Path directory;

    @Test
    void what_comes_by_mqtt_is_stored_and_what_can_never_be_stored_keeps_nobody_back() {
        SharedServers.flushAll();
        int port = TestPorts.take();
        try (TestHub hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "mqtt.embedded.port=" + port,
                        "data.dir=" + directory)) {
            Mqtt5AsyncClient client =
                    MqttClient.builder()
                            .serverHost("127.0.0.1")
                            .serverPort(port)
                            .useMqttVersion5()
                            .buildAsync();
            client.connect().orTimeout(60, SECONDS).join();
            List<CompletableFuture<?>> sent =
                    IntStream.rangeClosed(1, 200)
                            .<CompletableFuture<?>>mapToObj(
                                    i -> send(client, "3/T", "{\"%d\":%d}".formatted(i, i)))
                            .toList();
            sent.forEach(CompletableFuture::join);
            for (String wrong : List.of("{", "[]", "{\"1\":\"x\"}", "")) {
                send(client, "3/T", wrong).join();
            }
            send(client, "0/T", "{\"1\":1}").join();
            send(client, "3/C", "{\"1\":1}").join();
            send(client, "3/S", "{\"1\":true}").join();
            await().until(() -> hub.get("/api/channels/3/S/1").status() == 200);
            assertThat(hub.get("/api/channels/3/T").json().at("/data/values").size())
                    .isEqualTo(200);
            assertThat(hub.get("/api/channels/3/C").json().at("/data/values").size()).isZero();
            client.disconnect().join();
        }
    }

    private static CompletableFuture<?> send(Mqtt5AsyncClient client, String place, String body) {
        return client.publishWith()
                .topic("millrace/telemetry/" + place)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(body.getBytes(UTF_8))
                .send()
                .orTimeout(60, SECONDS);
    }
}
