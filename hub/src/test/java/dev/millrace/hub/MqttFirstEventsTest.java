package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;

import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What the embedded broker acknowledges is stored, from its very first moment on. */
class MqttFirstEventsTest {
    @TempDir Path directory;

    @BeforeEach
    void nothingIsStored() {
        SharedServers.flushAll();
    }

    private TestHub hub(String name, int port) {
        return TestHub.start(
                SharedServers.standalone().url(),
                "data.dir=" + directory.resolve(name),
                "mqtt.embedded.port=" + port);
    }

    /** Comes as soon as anybody listens. */
    private static void send(int port, String device) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> listens(port));
        Mqtt3BlockingClient client =
                MqttClient.builder()
                        .serverHost("127.0.0.1")
                        .serverPort(port)
                        .useMqttVersion3()
                        .buildBlocking();
        client.connect();
        client.publishWith()
                .topic("edgex/events/" + device)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(
                        "{\"device\":\"%s\",\"readings\":[{\"name\":\"n\",\"value\":\"1\"}]}"
                                .formatted(device)
                                .getBytes(UTF_8))
                .send();
        client.disconnect();
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static void isStored(TestHub hub, String device) {
        await().untilAsserted(
                        () ->
                                assertThat(
                                                hub.get("/api/v1/event/device/" + device + "/10")
                                                        .json()
                                                        .size())
                                        .isEqualTo(1));
    }

    @Test
    void the_first_event_that_is_acknowledged_is_stored() throws IOException {
        int port = TestPorts.take();
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(port, "first"));
        try (TestHub hub = hub("a", port)) {
            sent.orTimeout(60, SECONDS).join();
            isStored(hub, "first");
        }
    }

    @Test
    void each_hub_takes_what_its_own_broker_acknowledges() throws IOException {
        int first = TestPorts.take();
        int second = TestPorts.take();
        try (TestHub one = hub("a", first);
                TestHub other = hub("b", second)) {
            send(first, "one");
            send(second, "other");
            isStored(one, "one");
            isStored(other, "other");
        }
    }
}
