package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** What clients of MQTT see of a hub, whichever broker it uses. */
abstract class MqttHubContract {
    @TempDir Path directory;
    private final List<Mqtt5AsyncClient> clients = new ArrayList<>();
    private TestHub hub;

    /** Starts a broker if need be, and says what the hub has to know of it. */
    abstract List<String> broker(Path directory);

    abstract int port();

    /** Where the hub keeps its things. */
    String redis() {
        return SharedServers.standalone().url();
    }

    @BeforeEach
    void start() {
        redis();
        SharedServers.flushAll();
        List<String> settings = new ArrayList<>(List.of("data.dir=" + directory));
        settings.addAll(broker(directory));
        hub = TestHub.start(redis(), settings.toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        clients.forEach(each -> each.disconnect().exceptionally(gone -> null).join());
        hub.close();
    }

    private Mqtt5AsyncClient client(MqttClientBuilder builder) {
        Mqtt5AsyncClient client =
                builder.identifier("test-" + UUID.randomUUID()).useMqttVersion5().buildAsync();
        client.connect().orTimeout(60, SECONDS).join();
        clients.add(client);
        return client;
    }

    private Mqtt5AsyncClient client() {
        return client(MqttClient.builder().serverHost("127.0.0.1").serverPort(port()));
    }

    private static List<String> listening(Mqtt5AsyncClient client, String filter) {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        client.subscribeWith()
                .topicFilter(filter)
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(
                        each ->
                                heard.add(
                                        each.getTopic()
                                                + " "
                                                + new String(each.getPayloadAsBytes(), UTF_8)))
                .send()
                .orTimeout(60, SECONDS)
                .join();
        return heard;
    }

    private static void send(Mqtt5AsyncClient client, String topic, String body) {
        client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(body.getBytes(UTF_8))
                .send()
                .orTimeout(60, SECONDS)
                .join();
    }

    private void awaitCount(int count) {
        await().atMost(60, SECONDS)
                .untilAsserted(
                        () ->
                                assertThat(hub.get("/api/v1/event/count").body().strip())
                                        .isEqualTo(Integer.toString(count)));
    }

    private static String event(String id, String device, String value) {
        return """
        {"id":"%s","device":"%s","readings":[{"name":"temperature","value":"%s"}]}
        """
                .formatted(id, device, value);
    }

    /** The hub subscribes a moment after it is ready, and without a session nothing waits. */
    private void awaitIngest(Mqtt5AsyncClient client) {
        String id = UUID.randomUUID().toString();
        await().atMost(60, SECONDS)
                .until(
                        () -> {
                            send(client, "edgex/events/first", event(id, "first", "1"));
                            return hub.get("/api/v1/event/" + id).status() == 200;
                        });
    }

    @Test
    void events_that_come_by_mqtt_are_stored_once_and_announced() {
        Mqtt5AsyncClient client = client();
        awaitIngest(client);
        List<String> heard = listening(client, "millrace/events/#");
        String id = UUID.randomUUID().toString();
        send(client, "edgex/events/tank", event(id, "tank 1/a", "20"));
        send(client, "edgex/events/tank", event(id, "tank 1/a", "20"));
        send(client, "edgex/events/tank", "this is no event");
        send(client, "edgex/events/tank", "");
        send(client, "edgex/events/tank", event("", "tank2", "21"));
        awaitCount(3);
        await().atMost(60, SECONDS)
                .untilAsserted(
                        () ->
                                assertThat(heard)
                                        .anyMatch(
                                                each ->
                                                        each.startsWith(
                                                                "millrace/events/tank 1%2Fa {"))
                                        .anyMatch(
                                                each ->
                                                        each.startsWith(
                                                                "millrace/events/tank2 {")));
        assertThat(heard.stream().filter(each -> each.contains(id))).hasSize(1);
    }

    @Test
    void an_event_that_was_posted_is_announced_too() {
        Mqtt5AsyncClient client = client();
        List<String> heard = listening(client, "millrace/events/+");
        await().atMost(60, SECONDS)
                .until(
                        () -> {
                            hub.send("POST", "/api/v1/event", event("", "posted", "1"));
                            return !heard.isEmpty();
                        });
        assertThat(heard.getFirst()).startsWith("millrace/events/posted {").contains("temperature");
    }

    @Test
    void a_subscription_may_have_a_topic_and_a_bad_one_is_refused() {
        Mqtt5AsyncClient client = client();
        List<String> heard = listening(client, "house/alarms");
        String subscription =
                """
                {"slug":"%s","receiver":"kitchen","subscribedCategories":["SECURITY"],
                 "channels":[{"type":"MQTT","topic":"%s"}]}
                """;
        for (String bad : List.of("", "house/#", "house/+", "millrace/events/x", "$SYS/x")) {
            assertThat(
                            hub.send(
                                            "POST",
                                            "/api/v1/subscription",
                                            subscription.formatted("bad", bad))
                                    .status())
                    .as(bad)
                    .isEqualTo(400);
        }
        assertThat(
                        hub.send(
                                        "POST",
                                        "/api/v1/subscription",
                                        subscription.formatted("good", "house/alarms"))
                                .status())
                .isEqualTo(201);
        assertThat(hub.get("/api/v1/subscription/slug/good").body())
                .contains("{\"type\":\"MQTT\",\"topic\":\"house/alarms\"}");
        hub.send(
                "POST",
                "/api/v1/notification",
                """
                {"slug":"fire","sender":"cellar","category":"SECURITY","severity":"CRITICAL",
                 "content":"It burns."}
                """);
        await().atMost(60, SECONDS).until(() -> heard.contains("house/alarms It burns."));
    }

    @Test
    void a_browser_speaks_mqtt_over_a_websocket() {
        URI url = URI.create(hub.url());
        Mqtt5AsyncClient browser =
                client(
                        MqttClient.builder()
                                .serverHost(url.getHost())
                                .serverPort(url.getPort())
                                .webSocketConfig()
                                .serverPath("eventbus")
                                .subprotocol("mqtt")
                                .applyWebSocketConfig());
        List<String> heard = listening(browser, "plant/#");
        String large = "x".repeat(300_000);
        Mqtt5AsyncClient other = client();
        send(other, "plant/large", large);
        send(browser, "plant/a", "from a page");
        await().atMost(60, SECONDS).until(() -> heard.size() >= 2);
        assertThat(heard).containsExactlyInAnyOrder("plant/large " + large, "plant/a from a page");
    }

    @Test
    void changes_of_documents_are_heard_in_their_order() {
        List<String> heard = listening(client(), "brewcast/datastore/#");
        for (int n = 0; n < 100; n++) {
            TestHub.Reply reply =
                    hub.send(
                            "POST",
                            "/history/datastore/set",
                            "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d}}".formatted(n));
            assertThat(reply.status()).isEqualTo(200);
        }
        await().atMost(60, SECONDS).until(() -> heard.size() >= 100);
        List<String> expected = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            expected.add(
                    "brewcast/datastore/a {\"changed\":[{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d}]}"
                            .formatted(n));
        }
        assertThat(heard).isEqualTo(expected);
    }
}
