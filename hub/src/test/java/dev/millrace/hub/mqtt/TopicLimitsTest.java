package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

/** The embedded broker keeps only so many topics and retained messages for guests. */
class TopicLimitsTest {
    private static final int TOPICS = 20;
    private static final int RETAINED = 3;

    @TempDir Path directory;
    private TestAccess access;
    private TestEmbedded broker;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        access = new TestAccess(AccessSettings.Mode.OPEN);
        broker =
                new TestEmbedded(
                        directory,
                        access.gate(),
                        MqttSamples.settings(
                                "mqtt.embedded.port=0",
                                "mqtt.embedded.max-topics=" + TOPICS,
                                "mqtt.embedded.max-retained=" + RETAINED));
    }

    @AfterEach
    void stop() {
        broker.close();
        access.close();
    }

    private Mqtt5ClientBuilder builder() {
        return MqttClient.builder()
                .serverHost("127.0.0.1")
                .serverPort(broker.url().port())
                .useMqttVersion5();
    }

    private Mqtt5AsyncClient guest() {
        return connected(builder().buildAsync());
    }

    private Mqtt5AsyncClient hub() {
        return connected(
                builder()
                        .simpleAuth()
                        .username(broker.url().user().orElseThrow())
                        .password(broker.url().password().orElseThrow().getBytes(UTF_8))
                        .applySimpleAuth()
                        .buildAsync());
    }

    private static Mqtt5AsyncClient connected(Mqtt5AsyncClient client) {
        client.connect().orTimeout(60, SECONDS).join();
        return client;
    }

    private static Mqtt5PublishResult send(
            Mqtt5AsyncClient client, String topic, boolean retain, String body) {
        return client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(retain)
                .payload(body.getBytes(UTF_8))
                .send()
                .orTimeout(60, SECONDS)
                .join();
    }

    private static void mustSend(Mqtt5AsyncClient client, String topic, boolean retain) {
        assertThat(send(client, topic, retain, "x").getError()).isEmpty();
    }

    private static List<String> listening(Mqtt5AsyncClient client, String filter) {
        List<String> heard = new CopyOnWriteArrayList<>();
        client.subscribeWith()
                .topicFilter(filter)
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(message -> heard.add(message.getTopic().toString()))
                .send()
                .orTimeout(60, SECONDS)
                .join();
        return heard;
    }

    private double figure(String name) {
        return broker.figures.get("millrace.mqtt.embedded." + name).gauge().value();
    }

    private double refused() {
        return broker.figures.get("millrace.mqtt.embedded.refused").counter().count();
    }

    /** Sends to new topics until one is refused; gives how many were taken. */
    private static int fill(Mqtt5AsyncClient guest) {
        for (int n = 0; n <= TOPICS; n++) {
            try {
                if (send(guest, "guest/" + n, false, "x").getError().isPresent()) {
                    return n;
                }
            } catch (CompletionException e) {
                assertThat(e).hasCauseInstanceOf(Mqtt5PubAckException.class);
                return n;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void a_topic_too_many_is_refused_and_those_that_are_there_go_on() {
        Mqtt5AsyncClient guest = guest();
        assertThat(fill(guest)).isBetween(1, TOPICS);
        assertThat(refused()).isPositive();
        assertThatThrownBy(() -> listening(guest, "another/+"))
                .hasCauseInstanceOf(Mqtt5SubAckException.class);
        mustSend(guest, "guest/0", false);
        List<String> heard = listening(guest, "guest/0");
        mustSend(guest, "guest/0", false);
        await().until(() -> heard.contains("guest/0"));
        await().until(() -> figure("topics") >= TOPICS);
    }

    @Test
    void the_hub_can_always_say_what_it_has_to() {
        fill(guest());
        Mqtt5AsyncClient hub = hub();
        List<String> heard = listening(hub, "brewcast/#");
        mustSend(hub, "brewcast/datastore/a", false);
        await().until(() -> heard.contains("brewcast/datastore/a"));
        for (int n = 0; n <= RETAINED; n++) {
            mustSend(hub, "millrace/state/" + n, true);
        }
    }

    @Test
    void a_retained_message_too_many_ends_the_connection_and_is_not_acknowledged() {
        Mqtt5AsyncClient guest = guest();
        for (int n = 0; n < RETAINED; n++) {
            mustSend(guest, "state/" + n, true);
        }
        mustSend(guest, "state/0", true);
        mustSend(guest, "state/other", false);
        assertThatThrownBy(() -> send(guest, "state/other", true, "x"))
                .isInstanceOf(CompletionException.class);
        assertThat(refused()).isPositive();
        List<String> kept = listening(guest(), "state/+");
        await().until(() -> kept.size() >= RETAINED);
        assertThat(kept).containsExactlyInAnyOrder("state/0", "state/1", "state/2");
    }

    @Test
    void a_will_is_no_way_around() {
        Mqtt5AsyncClient guest = guest();
        for (int n = 0; n < RETAINED; n++) {
            mustSend(guest, "state/" + n, true);
        }
        assertThatThrownBy(
                        () ->
                                connected(
                                        builder()
                                                .willPublish()
                                                .topic("state/last")
                                                .retain(true)
                                                .payload("x".getBytes(UTF_8))
                                                .applyWillPublish()
                                                .buildAsync()))
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void what_was_kept_over_a_restart_counts() {
        Mqtt5AsyncClient guest = guest();
        for (int n = 0; n < RETAINED; n++) {
            mustSend(guest, "state/" + n, true);
        }
        guest.disconnect().join();
        broker.stop();
        broker.start();
        assertThatThrownBy(() -> send(guest(), "state/other", true, "x"))
                .isInstanceOf(CompletionException.class);
    }
}
