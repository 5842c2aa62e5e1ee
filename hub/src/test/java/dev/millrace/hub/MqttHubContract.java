package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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

import tools.jackson.dataformat.cbor.CBORMapper;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What clients of MQTT see of a hub, whichever broker it uses. */
abstract class MqttHubContract {
    private static final int BROWSERS = 2;
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 20 : 1;
    private static final int WRITERS = 8;
    private static final int WRITES = 100;

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
        List<String> settings =
                new ArrayList<>(
                        List.of(
                                "data.dir=" + directory,
                                "mqtt.eventbus.max-connections=" + BROWSERS));
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
        send(client, topic, body.getBytes(UTF_8));
    }

    private static void send(Mqtt5AsyncClient client, String topic, byte[] body) {
        client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(body)
                .send()
                .orTimeout(60, SECONDS)
                .join();
    }

    private void awaitCount(int count) {
        await().untilAsserted(
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
        await().until(
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
        send(client, "edgex/events/tank", "this is not a valid event");
        send(client, "edgex/events/tank", "");
        send(client, "edgex/events/tank", event("", "tank2", "21"));
        awaitCount(3);
        await().untilAsserted(
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
        await().until(
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
        await().until(() -> heard.contains("house/alarms It burns."));
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
        await().until(() -> heard.size() >= 2);
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
        await().until(() -> heard.size() >= 100);
        List<String> expected = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            expected.add(
                    "brewcast/datastore/a {\"changed\":[{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d}]}"
                            .formatted(n));
        }
        assertThat(heard).isEqualTo(expected);
    }

    @Test
    void an_event_in_cbor_is_stored_too() {
        Mqtt5AsyncClient client = client();
        awaitIngest(client);
        byte[] body =
                new CBORMapper()
                        .writeValueAsBytes(
                                Map.of(
                                        "device",
                                        "press",
                                        "readings",
                                        List.of(Map.of("name", "force", "value", "7"))));
        send(client, "edgex/events/press", body);
        // It is known by its checksum, and two that are alike are two.
        send(client, "edgex/events/press", body);
        send(client, "edgex/events/press", new byte[] {(byte) 0xBF, 1});
        awaitCount(3);
        assertThat(hub.get("/api/v1/event/device/press/9").json())
                .hasSize(2)
                .allMatch(each -> each.at("/readings/0/value").asString().equals("7"));
    }

    @Test
    void the_last_event_of_many_writers_is_what_is_stored() {
        List<String> heard = listening(client(), "brewcast/datastore/#");
        for (int round = 1; round <= ROUNDS; round++) {
            CompletableFuture<?>[] writers = new CompletableFuture<?>[WRITERS];
            for (int writer = 0; writer < WRITERS; writer++) {
                String document =
                        "{\"namespace\":\"a\",\"id\":\"x\",\"by\":\"%d-%d".formatted(round, writer);
                writers[writer] =
                        CompletableFuture.runAsync(
                                () -> write(document), Thread::startVirtualThread);
            }
            CompletableFuture.allOf(writers).join();
            int all = round * WRITERS * WRITES;
            await().until(() -> heard.size() >= all);
            String stored =
                    hub.send("POST", "/history/datastore/get", "{\"namespace\":\"a\",\"id\":\"x\"}")
                            .json()
                            .get("value")
                            .toString();
            assertThat(heard).hasSize(all);
            assertThat(heard.getLast())
                    .isEqualTo("brewcast/datastore/a {\"changed\":[" + stored + "]}");
        }
    }

    private void write(String document) {
        for (int n = 0; n < WRITES; n++) {
            TestHub.Reply reply =
                    hub.send(
                            "POST",
                            "/history/datastore/set",
                            "{\"value\":" + document + "-" + n + "\"}}");
            assertThat(reply.status()).isEqualTo(200);
        }
    }

    /** A page with a WebSocket, and how that ended. */
    private final class Page implements WebSocket.Listener {
        final CompletableFuture<String> closed = new CompletableFuture<>();

        CompletableFuture<WebSocket> open(String origin) {
            return HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .header("Origin", origin)
                    .subprotocols("mqtt")
                    .buildAsync(URI.create(hub.url().replace("http", "ws") + "/eventbus"), this);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.complete(status + " " + reason);
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void a_page_of_another_site_cannot_use_the_eventbus() {
        assertThatThrownBy(() -> new Page().open("http://evil.example").join())
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(403));
        new Page().open(hub.url()).join().abort();
    }

    @Test
    void there_are_only_so_many_browsers_at_a_time() {
        List<WebSocket> open = new ArrayList<>();
        for (int i = 0; i < BROWSERS; i++) {
            open.add(new Page().open(hub.url()).join());
        }
        // A WebSocket is open before the hub has counted it.
        await().until(
                        () -> {
                            Page page = new Page();
                            WebSocket socket = page.open(hub.url()).join();
                            boolean refused =
                                    page.closed
                                            .completeOnTimeout("", 2, SECONDS)
                                            .join()
                                            .equals(
                                                    "1013 There are 2 connections to /eventbus"
                                                            + " already.");
                            socket.abort();
                            return refused;
                        });
        open.removeFirst().abort();
        URI url = URI.create(hub.url());
        await().ignoreExceptions()
                .until(
                        () ->
                                client(
                                                MqttClient.builder()
                                                        .serverHost(url.getHost())
                                                        .serverPort(url.getPort())
                                                        .webSocketConfig()
                                                        .serverPath("eventbus")
                                                        .subprotocol("mqtt")
                                                        .applyWebSocketConfig())
                                        .getState()
                                        .isConnected());
    }
}
