package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** The ground of the tests over HTTP: a hub on an empty Redis, and no drift afterwards. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RoomContract {
    @Parameter Site site;

    protected TestHub hub;
    protected Keyspace keyspace;

    String redisUrl() {
        return site.url();
    }

    @BeforeParameterizedClassInvocation
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(redisUrl(), settings());
        keyspace = hub.keyspace();
    }

    String[] settings() {
        return new String[] {"readings.max-results=50"};
    }

    @AfterParameterizedClassInvocation
    void stop() {
        hub.close();
    }

    @BeforeEach
    void empty() {
        SharedServers.flushAll();
    }

    @AfterEach
    void nothingHasDrifted() {
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    /** Posts an event, and gives its id. */
    String post(String json) {
        Reply reply = hub.send("POST", "/api/v1/event", json);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    String postReading(String json) {
        Reply reply = hub.send("POST", "/api/v1/reading", json);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    Reply get(String path) {
        return hub.get("/api/v1/" + path);
    }

    Reply put(String path, String body) {
        return hub.send("PUT", "/api/v1/" + path, body);
    }

    Reply delete(String path) {
        return hub.send("DELETE", "/api/v1/" + path, "");
    }

    /** An error is a line of text; what it says is for a person. */
    void expect(int status, String method, String path, String body) {
        Reply reply = hub.send(method, "/api/v1/" + path, body);
        assertThat(reply.status()).as(method + " " + path + ": " + reply.body()).isEqualTo(status);
        assertThat(reply.header("content-type")).isNotEmpty();
        if (status >= 400 && status != 405) {
            assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(reply.body()).endsWith("\n");
        }
    }

    /** No event, no reading, and nothing of them left anywhere. */
    void nothingIsStored() {
        assertThat(keyspace.census(Pace.FULL, seen -> {}).markdown())
                .doesNotContain("Event", "Reading", "event:", "reading:");
    }

    /** The ids of a list. */
    List<String> ids(String path) {
        Reply reply = get(path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).endsWith("]\n");
        List<String> ids = new ArrayList<>();
        for (JsonNode each : reply.json()) {
            ids.add(each.get("id").asString());
        }
        return ids;
    }

    /** An event of a device with these readings, all of value 1. */
    static String event(String device, long created, String... names) {
        List<String> readings = new ArrayList<>();
        for (String name : names) {
            readings.add("{\"name\":\"%s\",\"value\":\"1\"}".formatted(name));
        }
        return "{\"device\":\"%s\",\"created\":%d,\"readings\":[%s]}"
                .formatted(device, created, String.join(",", readings));
    }
}
