package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who may do what at the embedded broker. */
class EmbeddedAccessTest {
    @TempDir Path directory;
    private TestAccess access;
    private TestEmbedded broker;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        access = new TestAccess(AccessSettings.Mode.TOKEN);
        broker =
                new TestEmbedded(
                        directory,
                        access.gate(),
                        MqttSamples.settings(
                                "mqtt.embedded.port=0", "mqtt.embedded.max-queue=64KB"));
    }

    @AfterEach
    void stop() {
        broker.close();
        access.close();
    }

    private Mqtt5AsyncClient connect(String id, String password) {
        Mqtt5AsyncClient client =
                MqttClient.builder()
                        .identifier(id)
                        .serverHost("127.0.0.1")
                        .serverPort(broker.url().port())
                        .useMqttVersion5()
                        .simpleAuth(
                                Mqtt5SimpleAuth.builder()
                                        .username("anybody")
                                        .password(password.getBytes(UTF_8))
                                        .build())
                        .buildAsync();
        client.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(3600)
                .send()
                .orTimeout(60, SECONDS)
                .join();
        return client;
    }

    private static boolean send(Mqtt5AsyncClient client, String topic, int bytes) {
        return client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(new byte[bytes])
                .send()
                .orTimeout(60, SECONDS)
                .handle((taken, refusal) -> refusal == null)
                .join();
    }

    private static void listen(Mqtt5AsyncClient client, String filter, List<String> heard) {
        client.subscribeWith()
                .topicFilter(filter)
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(each -> heard.add(each.getTopic().toString()))
                .send()
                .orTimeout(60, SECONDS)
                .join();
    }

    @Test
    void a_password_that_is_no_token_is_refused() {
        assertThatThrownBy(() -> connect("a", "sesame"))
                .hasMessageContaining("BAD_USER_NAME_OR_PASSWORD");
    }

    @Test
    void nobody_else_comes_under_a_client_id_of_the_hub() {
        String admin = access.token("root", Role.ADMIN);
        assertThatThrownBy(() -> connect("millrace-documents", admin))
                .hasMessageContaining("BAD_USER_NAME_OR_PASSWORD");
    }

    @Test
    void a_viewer_listens_and_an_operator_sends() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Mqtt5AsyncClient viewer = connect("v", access.token("eye", Role.VIEWER));
        Mqtt5AsyncClient operator = connect("o", access.token("hand", Role.OPERATOR));
        listen(viewer, "#", heard);
        assertThat(send(operator, "plant/a", 1)).isTrue();
        assertThat(send(viewer, "plant/b", 1)).isFalse();
        assertThat(send(operator, "plant/c", 1)).isTrue();
        await().until(() -> heard.contains("plant/c"));
        assertThat(heard).containsExactly("plant/a", "plant/c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "brewcast/datastore",
                "brewcast/datastore/x",
                "millrace/events/x",
                "activemq.management"
            })
    void even_an_admin_does_not_speak_for_the_hub_or_the_broker(String topic) {
        Mqtt5AsyncClient admin = connect("a", access.token("root", Role.ADMIN));
        assertThat(send(admin, topic, 1)).isFalse();
        assertThat(send(admin, "brewcast/datastores", 1)).isTrue();
    }

    @Test
    void the_queue_of_another_client_cannot_be_read() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Mqtt5AsyncClient one = connect("one", access.token("eye", Role.VIEWER));
        listen(one, "plant/#", heard);
        Mqtt5AsyncClient thief = connect("thief", access.token("root", Role.ADMIN));
        assertThatThrownBy(() -> listen(thief, "plant/#::one.plant/#", heard));
    }

    @Test
    void a_revoked_token_is_thrown_out_also_if_it_only_listens() {
        String token = access.token("eye", Role.VIEWER);
        Mqtt5AsyncClient viewer = connect("v", token);
        listen(viewer, "plant/#", new CopyOnWriteArrayList<>());
        access.revoke(token);
        await().until(() -> !viewer.getState().isConnected());
        assertThatThrownBy(() -> connect("v", token))
                .hasMessageContaining("BAD_USER_NAME_OR_PASSWORD");
    }

    @Test
    void the_next_message_of_a_revoked_token_is_refused() {
        List<String> heard = new CopyOnWriteArrayList<>();
        listen(connect("v", access.token("eye", Role.VIEWER)), "#", heard);
        String hand = access.token("hand", Role.OPERATOR);
        Mqtt5AsyncClient revoked = connect("r", hand);
        assertThat(send(revoked, "plant/a", 1)).isTrue();
        access.revoke(hand);
        assertThat(send(revoked, "plant/b", 1)).isFalse();
        assertThat(send(connect("o", access.token("other", Role.OPERATOR)), "plant/c", 1)).isTrue();
        await().until(() -> heard.contains("plant/c"));
        assertThat(heard).containsExactly("plant/a", "plant/c");
    }

    @Test
    void a_sleeper_for_whom_too_much_waits_loses_its_session_and_stops_nobody() {
        String eye = access.token("eye", Role.VIEWER);
        Mqtt5AsyncClient sleeper = connect("sleeper", eye);
        listen(sleeper, "plant/#", new CopyOnWriteArrayList<>());
        sleeper.disconnect().join();
        Mqtt5AsyncClient operator = connect("o", access.token("hand", Role.OPERATOR));
        sendTooMuch(operator);
        // Whoever comes to look takes what waits: only after that much has waited for a while again
        // can the next look be another.
        await().pollDelay(2, SECONDS)
                .pollInterval(2, SECONDS)
                .until(
                        () -> {
                            boolean ended = !hasSession("sleeper", eye);
                            sendTooMuch(operator);
                            return ended;
                        });
        assertThat(send(operator, "plant/a", 10_000)).isTrue();
    }

    private static void sendTooMuch(Mqtt5AsyncClient operator) {
        for (int i = 0; i < 12; i++) {
            assertThat(send(operator, "plant/a", 10_000)).isTrue();
        }
    }

    private boolean hasSession(String id, String token) {
        Mqtt5AsyncClient again =
                MqttClient.builder()
                        .identifier(id)
                        .serverHost("127.0.0.1")
                        .serverPort(broker.url().port())
                        .useMqttVersion5()
                        .buildAsync();
        boolean present =
                again.connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(3600)
                        .simpleAuth()
                        .username("x")
                        .password(token.getBytes(UTF_8))
                        .applySimpleAuth()
                        .send()
                        .orTimeout(60, SECONDS)
                        .join()
                        .isSessionPresent();
        again.disconnect().join();
        return present;
    }

    @Test
    void what_is_retained_and_what_waits_in_a_session_survive_a_restart() {
        String hand = access.token("hand", Role.OPERATOR);
        String eye = access.token("eye", Role.VIEWER);
        Mqtt5AsyncClient sleeper = connect("sleeper", eye);
        List<String> heard = new CopyOnWriteArrayList<>();
        listen(sleeper, "plant/#", heard);
        sleeper.disconnect().join();
        Mqtt5AsyncClient operator = connect("o", hand);
        assertThat(send(operator, "plant/waits", 10)).isTrue();
        operator.publishWith()
                .topic("state/kept")
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(true)
                .payload("kept".getBytes(UTF_8))
                .send()
                .join();
        operator.disconnect().join();
        broker.stop();
        broker.start();
        List<String> retained = new CopyOnWriteArrayList<>();
        Mqtt5AsyncClient later = connect("later", hand);
        listen(later, "state/#", retained);
        await().until(() -> retained.contains("state/kept"));
        sleeper.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(3600)
                .simpleAuth()
                .username("x")
                .password(eye.getBytes(UTF_8))
                .applySimpleAuth()
                .send()
                .join();
        await().until(() -> heard.contains("plant/waits"));
    }
}
