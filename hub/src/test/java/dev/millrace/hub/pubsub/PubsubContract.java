package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.pubsub.channels.ClockRing;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The ground of the tests of this room: a hub on an empty Redis, no drift afterwards. */
public abstract class PubsubContract {
    @Parameter Site site;

    static final String MAX = Long.toString(ClockRing.MAX);
    static final String MIN = Long.toString(ClockRing.MIN);

    protected TestHub hub;

    String url() {
        return site.url();
    }

    /** A command to the server that has the key, which is its second word. */
    @Nullable Object redis(String... words) {
        return site.command(words[1], words);
    }

    /** Settings of the hub. */
    List<String> settings() {
        return List.of();
    }

    @BeforeEach
    void start() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, settings().toArray(String[]::new));
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        } finally {
            hub.close();
        }
    }

    static String message(String channel, String id) {
        return "/channel/%s/message/%s".formatted(channel, id);
    }

    static String polling(String channel, String subscriber) {
        return "/channel/%s/subscription/polling/%s".formatted(channel, subscriber);
    }

    void publish(String channel, String id, String content) {
        Reply reply = hub.send("PUT", message(channel, id), content);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body())
                .isEqualTo("{\"channelID\":\"%s\",\"messageID\":\"%s\"}\n".formatted(channel, id));
    }

    void subscribe(String channel, String subscriber) {
        Reply reply = hub.send("PUT", polling(channel, subscriber), "");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().get("subscriberID").asString()).isEqualTo(subscriber);
    }

    Reply fetch(String channel, String subscriber, String query) {
        return hub.get(polling(channel, subscriber) + query);
    }

    static List<String> ids(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        List<String> ids = new ArrayList<>();
        for (JsonNode each : reply.json().get("messages")) {
            ids.add(each.get("messageID").asString());
        }
        return ids;
    }

    List<String> unread(String channel, String subscriber) {
        return ids(fetch(channel, subscriber, ""));
    }

    static String handle(Reply reply) {
        return reply.json().get("ackHandle").asString();
    }

    Reply acknowledge(String channel, String subscriber, String handle) {
        return hub.send(
                "DELETE", polling(channel, subscriber) + "/message?ackHandle=" + handle, "");
    }

    CompletableFuture<Reply> later(String channel, String subscriber, String query) {
        return CompletableFuture.supplyAsync(
                () -> fetch(channel, subscriber, query), Thread::startVirtualThread);
    }

    // ---------------------------------------------------------------- keys

    void set(String key, String value) {
        redis("SET", key, value, "EX", "1000");
    }

    @Nullable Object get(String key) {
        return redis("GET", key);
    }

    long secondsLeft(String key) {
        return (Long) redis("TTL", key);
    }
}
