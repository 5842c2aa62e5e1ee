package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.hub.mqtt.TestMosquitto;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Events that come by MQTT are neither lost nor doubled, whatever happens to Redis and to hubs. */
class MqttIngestTest {
    private static final Pattern AGAIN =
            Pattern.compile("(?m)^millrace_mqtt_redelivered_total ([1-9].*)$");

    @TempDir Path directory;
    private TestServer redis;
    private TestMosquitto broker;
    private Mqtt5AsyncClient client;

    @BeforeEach
    void start() {
        redis = TestServer.start("appendonly yes", "appendfsync always");
        broker = TestMosquitto.start(directory);
        client =
                MqttClient.builder()
                        .serverHost("127.0.0.1")
                        .serverPort(broker.url().port())
                        .useMqttVersion5()
                        .buildAsync();
        client.connect().orTimeout(60, SECONDS).join();
    }

    @AfterEach
    void stop() {
        client.disconnect().join();
        broker.close();
        redis.close();
    }

    private TestHub hub(String... settings) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = "mqtt.url=" + broker.address();
        return TestHub.start(redis.url(), all);
    }

    /** Without an id: stored twice, it would be two. */
    private void send(String device, int value) {
        client.publishWith()
                .topic("edgex/events/" + device)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(
                        """
                        {"device":"%s","readings":[{"name":"n","value":"%d"}]}
                        """
                                .formatted(device, value)
                                .getBytes(UTF_8))
                .send()
                .orTimeout(60, SECONDS)
                .join();
    }

    private static int count(TestHub hub, String device) {
        TestHub.Reply reply = hub.get("/api/v1/event/device/" + device + "/100");
        return reply.status() == 200 ? reply.json().size() : -1;
    }

    /** Its session is there once it has taken the first event. */
    private void awaitIngest(TestHub hub) {
        await().until(
                        () -> {
                            send("first", 0);
                            return count(hub, "first") > 0;
                        });
    }

    @Test
    void what_came_while_redis_was_away_is_not_acknowledged_and_comes_again() {
        try (TestHub hub = hub(TestHub.IMPATIENT)) {
            awaitIngest(hub);
            redis.kill();
            send("tank", 1);
            send("tank", 2);
            await().until(() -> AGAIN.matcher(metrics(hub)).find());
        }
        // That hub is gone: had it acknowledged anything, it would be lost now.
        redis.restart();
        try (TestHub hub = hub()) {
            await().until(() -> count(hub, "tank") >= 2);
            send("tank", 3);
            await().until(() -> count(hub, "tank") >= 3);
            assertThat(count(hub, "tank")).isEqualTo(3);
        }
    }

    private static String metrics(TestHub hub) {
        return hub.get("/metrics").body();
    }

    @Test
    void of_two_hubs_one_listens_and_the_other_goes_on() {
        TestHub first = hub();
        try (TestHub second = hub()) {
            awaitIngest(first);
            for (int n = 0; n < 30; n++) {
                send("tank", n);
            }
            for (TestHub hub : List.of(first, second)) {
                await().until(() -> count(hub, "tank") >= 30);
            }
            first.close();
            for (int n = 30; n < 60; n++) {
                send("tank", n);
            }
            await().until(() -> count(second, "tank") >= 60);
            send("last", 0);
            await().until(() -> count(second, "last") >= 1);
            assertThat(count(second, "tank")).isEqualTo(60);
        }
    }
}
