package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Notifications that become messages of a message channel. */
@OnEachSite
final class MessageChannelTest extends RoomContract {
    /** Far away: only a hang reaches it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String READER = "/channel/alarms-all/subscription/polling/reader";

    @Override
    String[] settings() {
        return new String[] {
            "notifications.resend-limit=0",
            "pubsub.channels=[{regex: 'alarms-.+'}, {regex: 'alarms-small', maxMessageBytes: 40}]"
        };
    }

    private Reply subscribe(String slug, String messageChannel) {
        return hub.send(
                "POST",
                "/api/v1/subscription",
                """
                {"slug":"%s","receiver":"ann","subscribedCategories":["SW_HEALTH"],\
                "channels":[{"type":"MESSAGE_CHANNEL","messageChannel":"%s"}]}\
                """
                        .formatted(slug, messageChannel));
    }

    private JsonNode transmission(String slug) {
        List<JsonNode> all = new ArrayList<>();
        await().atMost(PATIENCE)
                .until(
                        () -> {
                            all.clear();
                            hub.get("/api/v1/transmission/slug/" + slug + "/0")
                                    .json()
                                    .forEach(all::add);
                            return all.size() == 1;
                        });
        return all.getFirst();
    }

    private List<JsonNode> messages() {
        List<JsonNode> all = new ArrayList<>();
        hub.get(READER).json().get("messages").forEach(all::add);
        return all;
    }

    private void post(String slug, String... more) {
        Reply reply = hub.send("POST", "/api/v1/notification", Samples.json(slug, "NORMAL", more));
        assertThat(reply.status()).as(reply.body()).isEqualTo(202);
    }

    @Test
    void a_notification_becomes_a_message_whose_id_is_that_of_the_transmission() {
        assertThat(hub.send("PUT", READER, "").status()).isEqualTo(200);
        assertThat(subscribe("s", "alarms-all").status()).isEqualTo(201);
        post("fire", "\"labels\":[\"hot\",\"red\"]");
        JsonNode sent = transmission("fire");
        assertThat(sent.get("status").asString()).isEqualTo("SENT");
        assertThat(sent.at("/records/0/response").asString())
                .isEqualTo("The message channel has it.");
        assertThat(sent.get("channel").toString())
                .isEqualTo("{\"type\":\"MESSAGE_CHANNEL\",\"messageChannel\":\"alarms-all\"}");
        assertThat(messages()).hasSize(1);
        JsonNode message = messages().getFirst();
        assertThat(message.get("messageID").asString()).isEqualTo(sent.get("id").asString());
        assertThat(message.get("content").toString())
                .isEqualTo(
                        "{\"slug\":\"fire\",\"sender\":\"boiler\",\"category\":\"SW_HEALTH\","
                                + "\"severity\":\"NORMAL\",\"content\":\"It burns.\","
                                + "\"contenttype\":\"text/plain\",\"labels\":[\"hot\",\"red\"]}");
    }

    @Test
    void a_second_attempt_is_no_second_message() {
        assertThat(hub.send("PUT", READER, "").status()).isEqualTo(200);
        assertThat(subscribe("s", "alarms-all").status()).isEqualTo(201);
        post("fire");
        String id = transmission("fire").get("id").asString();
        hub.send("PUT", "/channel/alarms-all/message/" + id, "\"again\"");
        assertThat(messages()).hasSize(1);
        assertThat(messages().getFirst().get("content").isObject()).isTrue();
    }

    @Test
    void a_name_that_is_no_channel_fails_with_a_sentence() {
        assertThat(subscribe("s", "other").status()).isEqualTo(201);
        post("fire");
        JsonNode failed = transmission("fire");
        assertThat(failed.get("status").asString()).isEqualTo("FAILED");
        assertThat(failed.at("/records/0/response").asString())
                .isEqualTo(
                        "This cannot be sent: other is not a message channel: no entry of"
                                + " pubsub.channels matches it.");
    }

    @Test
    void what_the_channel_refuses_fails_with_its_sentence() {
        assertThat(subscribe("s", "alarms-small").status()).isEqualTo(201);
        post("fire");
        assertThat(transmission("fire").at("/records/0/response").asString())
                .isEqualTo("This cannot be sent: A message of this channel has at most 40 bytes.");
    }

    @Test
    void a_subscription_needs_a_name_that_can_be_one() {
        for (String bad : List.of("", "A", "a.b", "-a", "a b", "a".repeat(64))) {
            Reply reply = subscribe("s", bad);
            assertThat(reply.status()).as(bad).isEqualTo(400);
            assertThat(reply.body()).contains("The messageChannel of a channel has 1 to 63");
        }
        assertThat(subscribe("s", "a".repeat(63)).status()).isEqualTo(201);
    }

    @Test
    void channels_of_other_types_are_stored_as_before() {
        assertThat(text(Channel.rest("http://a/")))
                .isEqualTo("{\"type\":\"REST\",\"url\":\"http://a/\"}");
        assertThat(text(Channel.mqtt("t"))).isEqualTo("{\"type\":\"MQTT\",\"topic\":\"t\"}");
    }

    private static String text(Channel channel) {
        return new String(Json.MAPPER.writeValueAsBytes(channel), StandardCharsets.UTF_8);
    }
}
