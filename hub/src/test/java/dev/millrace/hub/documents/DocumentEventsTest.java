package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** What subscribers of an outside broker hear, also if it was away. */
final class DocumentEventsTest {
    private static final String ROOT = DocumentsContract.ROOT;
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir private Path directory;
    private int port;
    private Process broker;
    private Mqtt5AsyncClient listener;
    private TestHub hub;
    private final List<Mqtt5Publish> heard = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        startBroker();
        SharedServers.flushAll();
        hub = TestHub.start(SharedServers.standalone().url(), "mqtt.url=mqtt://127.0.0.1:" + port);
        listener =
                MqttClient.builder()
                        .useMqttVersion5()
                        .serverHost("127.0.0.1")
                        .serverPort(port)
                        .automaticReconnect()
                        .initialDelay(50, java.util.concurrent.TimeUnit.MILLISECONDS)
                        .maxDelay(200, java.util.concurrent.TimeUnit.MILLISECONDS)
                        .applyAutomaticReconnect()
                        .buildAsync();
        listener.connectWith().cleanStart(false).sessionExpiryInterval(3600).send().join();
        listener.subscribeWith()
                .topicFilter("brewcast/datastore/#")
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(heard::add)
                .send()
                .join();
    }

    private void startBroker() throws IOException {
        Path config = directory.resolve("mosquitto.conf");
        Files.writeString(
                config,
                """
                listener %d 127.0.0.1
                allow_anonymous true
                persistence true
                persistence_location %s/
                autosave_interval 1
                autosave_on_changes true
                """
                        .formatted(port, directory));
        broker =
                new ProcessBuilder(mosquitto(), "-c", config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("mosquitto.log").toFile())
                        .start();
        await().atMost(LONG)
                .ignoreExceptions()
                .until(
                        () -> {
                            try (Socket socket =
                                    new Socket(InetAddress.getLoopbackAddress(), port)) {
                                return socket.isConnected();
                            }
                        });
    }

    private static String mosquitto() {
        return Files.exists(Path.of("/usr/sbin/mosquitto")) ? "/usr/sbin/mosquitto" : "mosquitto";
    }

    private void stopBroker() throws InterruptedException {
        broker.destroy();
        broker.waitFor();
    }

    @AfterEach
    void stop() throws InterruptedException {
        hub.close();
        listener.toBlocking().disconnect();
        stopBroker();
    }

    private void post(String call, String body) {
        assertThat(hub.send("POST", ROOT + call, body).status()).isEqualTo(200);
    }

    private void set(String namespace, int n) {
        post(
                "set",
                "{\"value\":{\"namespace\":\"%s\",\"id\":\"x\",\"n\":%d}}".formatted(namespace, n));
    }

    private static String text(Mqtt5Publish message) {
        return message.getTopic()
                + " "
                + new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8);
    }

    private List<String> texts() {
        return heard.stream().map(DocumentEventsTest::text).toList();
    }

    private static Optional<Long> number(Mqtt5Publish message) {
        return message.getUserProperties().asList().stream()
                .filter(each -> each.getName().toString().equals("seq"))
                .map(each -> Long.parseLong(each.getValue().toString()))
                .findFirst();
    }

    @Test
    void a_change_is_one_message_for_each_namespace_and_nothing_but_the_change() {
        post(
                "mset",
                "{\"values\":[{\"namespace\":\"a:sub\",\"id\":\"1\"},{\"namespace\":\"\",\"id\":\"b\"},"
                    + "{\"namespace\":\"\",\"id\":\":c\"}]}");
        post("delete", "{\"namespace\":\"a/#\",\"id\":\"x\"}");
        post("mdelete", "{\"namespace\":\"a\",\"ids\":[\"sub:1\",\"no\"]}");
        await().atMost(LONG).until(() -> heard.size() >= 4);
        assertThat(texts())
                .containsExactly(
                        "brewcast/datastore/ {\"changed\":[{\"namespace\":\"\",\"id\":\":c\"}]}",
                        "brewcast/datastore/a"
                                + " {\"changed\":[{\"namespace\":\"a:sub\",\"id\":\"1\"}]}",
                        "brewcast/datastore/b {\"changed\":[{\"namespace\":\"\",\"id\":\"b\"}]}",
                        "brewcast/datastore/a {\"deleted\":[\"a:no\",\"a:sub:1\"]}");
        assertThat(heard).allMatch(message -> !message.isRetain());
        assertThat(heard.stream().map(each -> number(each).orElseThrow()))
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void what_was_written_while_the_broker_was_away_arrives_in_order() throws Exception {
        set("a", 0);
        await().atMost(LONG).until(() -> heard.size() == 1);
        stopBroker();
        for (int n = 1; n <= 100; n++) {
            set("a", n);
        }
        startBroker();
        await().atMost(LONG).until(() -> texts().stream().distinct().count() == 101);
        List<Long> numbers = new ArrayList<>();
        heard.forEach(
                each -> number(each).filter(n -> !numbers.contains(n)).ifPresent(numbers::add));
        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, 101).mapToObj(Long::valueOf).toList());
        assertThat(text(heard.getLast())).contains("\"n\":100");
    }

    @Test
    void after_a_restart_of_the_hub_what_was_not_sent_is_sent() throws Exception {
        stopBroker();
        set("a", 1);
        hub.close();
        startBroker();
        hub = TestHub.start(SharedServers.standalone().url(), "mqtt.url=mqtt://127.0.0.1:" + port);
        set("b", 2);
        await().atMost(LONG).until(() -> texts().stream().distinct().count() == 2);
        assertThat(texts().getFirst()).contains("\"n\":1");
    }
}
