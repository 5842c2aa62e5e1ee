package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.pubsub.channels.AckHandle;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** Many messages at once, limits of a channel, and how a channel is doing. */
@OnEachSite
final class BatchesTest extends PubsubContract {

    @Override
    List<String> settings() {
        return List.of(
                "pubsub.channels=[{regex: .+}, {regex: slow, maxPerSecond: 3},"
                        + " {regex: small, maxMessageBytes: 10}]",
                "pubsub.admin.auth.bearer=[sesame]");
    }

    private Reply batch(String channel, String body) {
        return hub.send("POST", "/channel/" + channel + "/messages", body);
    }

    @Test
    void a_batch_is_stored_in_its_order_and_duplicates_are_named() {
        subscribe("ch", "s");
        publish("ch", "b", "0");
        Reply reply =
                batch(
                        "ch",
                        """
                        [{"messageID":"a","content":{"x": 1}},
                         {"content":"two","messageID":"b"},
                         {"messageID":"c","content":null,"other":[1]},
                         {"messageID":"a","content":3}]
                        """);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body())
                .isEqualTo(
                        "{\"channelID\":\"ch\",\"messages\":[{\"messageID\":\"a\",\"duplicate\":false},{\"messageID\":\"b\",\"duplicate\":true},{\"messageID\":\"c\",\"duplicate\":false},{\"messageID\":\"a\",\"duplicate\":true}]}\n");
        Reply page = fetch("ch", "s", "");
        assertThat(ids(page)).containsExactly("b", "a", "c");
        assertThat(page.body()).contains("{\"messageID\":\"a\",\"content\":{\"x\": 1}}");
        assertThat(get("c.{ch}.clock")).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "[1]",
                "[{}]",
                "[{\"messageID\":\"a\"}]",
                "[{\"content\":1}]",
                "[{\"messageID\":\"A\",\"content\":1}]",
                "[{\"messageID\":\"a\",\"content\":1},{\"messageID\":\"b\"}]",
                "[{\"messageID\":\"a\",\"content\":1}"
            })
    void a_batch_with_something_wrong_stores_nothing(String body) {
        assertThat(batch("ch", body).status()).isEqualTo(400);
        assertThat(get("c.{ch}.clock")).isNull();
    }

    @Test
    void a_thousand_are_as_many_as_it_takes() {
        StringBuilder body = new StringBuilder("[");
        for (int i = 0; i < 1001; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"messageID\":\"m%d\",\"content\":%d}".formatted(i, i));
        }
        assertThat(batch("ch", body + "]").status()).isEqualTo(400);
        String thousand = body.substring(0, body.lastIndexOf(",{")) + "]";
        subscribe("ch", "s");
        assertThat(batch("ch", thousand).status()).isEqualTo(200);
        assertThat(ids(fetch("ch", "s", "?max=10000"))).hasSize(1000).endsWith("m999");
    }

    @Test
    void a_channel_takes_so_many_messages_a_second_and_so_large_ones() {
        assertThat(
                        batch(
                                        "slow",
                                        "[{\"messageID\":\"a\",\"content\":1},{\"messageID\":\"b\",\"content\":1}]")
                                .status())
                .isEqualTo(200);
        redis("SET", "millrace:rate:{slow}", "2", "EX", "100");
        publish("slow", "c", "1");
        Reply refused = hub.send("PUT", message("slow", "d"), "1");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("retry-after")).isEqualTo("1");
        assertThat(get("c.{slow}.clock")).isEqualTo("3");
        publish("small", "a", "1234567890");
        assertThat(hub.send("PUT", message("small", "b"), "12345678901").status()).isEqualTo(413);
    }

    private JsonNode view(String channel) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return Json.MAPPER.readTree(
                    client.send(
                                    HttpRequest.newBuilder(
                                                    URI.create(
                                                            hub.url()
                                                                    + "/admin/channel/"
                                                                    + channel))
                                            .header("Authorization", "Bearer sesame")
                                            .build(),
                                    BodyHandlers.ofString())
                            .body());
        }
    }

    @Test
    void a_channel_tells_its_messages_and_how_far_its_subscribers_are() throws Exception {
        assertThat(hub.get("/admin/channel/ch").status()).isEqualTo(403);
        assertThat(view("ch").get("error").asString()).isNotEmpty();
        subscribe("ch", "behind");
        for (int i = 1; i <= 5; i++) {
            publish("ch", "m" + i, "0");
        }
        subscribe("ch", "new");
        redis("DEL", "c.{ch}.m.1");
        subscribe("ch", "gone");
        hub.send("DELETE", polling("ch", "gone"), "");
        JsonNode view = view("ch");
        assertThat(view.get("clock").asLong()).isEqualTo(5);
        assertThat(view.get("messages").asLong()).isEqualTo(4);
        assertThat(view.get("messageBytes").asLong())
                .isEqualTo(4L * "{\"id\":\"m1\",\"content\":0}".length());
        assertThat(view.get("moreMessages").asBoolean()).isFalse();
        assertThat(view.get("expiresInSeconds").asLong()).isBetween(1700L, 1815L);
        assertThat(view.get("subscriberCount").asLong()).isEqualTo(2);
        assertThat(view.get("subscribers").get(0).get("subscriberID").asString()).isEqualTo("new");
        assertThat(view.get("subscribers").get(0).get("lag").asLong()).isZero();
        assertThat(view.get("subscribers").get(1).get("subscriberID").asString())
                .isEqualTo("behind");
        assertThat(view.get("subscribers").get(1).get("lag").asLong()).isEqualTo(5);
        assertThat(view.get("subscribers").get(1).get("lastSeen").asString()).contains("T");
    }

    @Test
    void who_reads_or_acknowledges_was_seen_also_if_another_server_made_it() throws Exception {
        redis("SET", "c.{ch}.clock", "5", "EX", "1000");
        for (String subscriber : List.of("reads", "acknowledges", "silent")) {
            redis("SET", "c.{ch}.r." + subscriber, "3", "EX", "1000");
        }
        assertThat(hub.get(polling("ch", "reads")).status()).isEqualTo(200);
        String handle = AckHandle.of("redis1", "ch", "acknowledges", 4);
        Reply done =
                hub.send(
                        "DELETE",
                        polling("ch", "acknowledges") + "/message?ackHandle=" + handle,
                        "");
        assertThat(done.status()).as(done.body()).isEqualTo(204);
        List<String> seen = new ArrayList<>();
        view("ch")
                .get("subscribers")
                .forEach(subscriber -> seen.add(subscriber.get("subscriberID").asString()));
        assertThat(seen).containsExactlyInAnyOrder("reads", "acknowledges");
    }
}
