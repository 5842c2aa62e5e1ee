package dev.millrace.hub.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded is what the configuration says. */
class ConfigurationTest {
    private static final TestServer SERVER = SharedServers.standalone();
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SERVER.flushAll();
        hub = TestHub.start(SERVER.url());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static TestHub.Reply put(String document) {
        return hub.send("PUT", "/api/history/config", document);
    }

    private static long count(String series) {
        return hub.get("/api/history/" + series).json().at("/data/samples").size();
    }

    private static void write(int channel, String type, String values, long at) {
        hub.send(
                "POST",
                "/api/channels/%d/%s".formatted(channel, type),
                "{\"points\":{%s},\"timestamp\":%d}".formatted(values, at));
    }

    @Test
    void each_pattern_has_its_way() {
        TestHub.Reply reply =
                put(
                        """
                        {"max_interval": 600, "sources": [
                          {"pattern": "comsrv:1:T", "deadband": 1, "deny": ["9"], "retention_days": 7},
                          {"pattern": "comsrv:2:T", "mode": "on_update", "allow": ["1", "comsrv:2:3"]},
                          {"pattern": "comsrv:3:*", "mode": "interval", "interval": 10},
                          "comsrv:4:S"
                        ]}
                        """);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().at("/data/effective/sources/0/retention_days").asDouble())
                .isEqualTo(7);
        long start = System.currentTimeMillis() / 100_000 * 100_000 - 1_000_000;
        double[] values = {20, 20.5, 21, 21.5, 20, 20, 20};
        for (int i = 0; i < values.length; i++) {
            for (int channel = 1; channel <= 5; channel++) {
                String both =
                        "\"1\":%s,\"2\":%s,\"3\":%s,\"9\":%s"
                                .formatted(values[i], values[i], values[i], values[i]);
                write(channel, "T", both, start + i * 3000);
            }
        }
        // It is the same, but a while has passed.
        write(1, "T", "\"1\":20", start + 18_000 + 600_000);
        write(4, "S", "\"1\":1", start);
        await().until(() -> count("comsrv/4/S.1?start=" + start) == 1);
        assertThat(count("comsrv/1/1?start=" + start)).isEqualTo(4);
        assertThat(count("comsrv/1/9?start=" + start)).isZero();
        assertThat(count("comsrv/2/1?start=" + start)).isEqualTo(7);
        assertThat(count("comsrv/2/2?start=" + start)).isZero();
        assertThat(count("comsrv/2/3?start=" + start)).isEqualTo(7);
        // 0, 3, 6, 9 | 12, 15, 18
        assertThat(count("comsrv/3/1?start=" + start)).isEqualTo(2);
        assertThat(count("comsrv/4/1?start=" + start)).isZero();
        assertThat(count("comsrv/5/1?start=" + start)).isZero();
        assertThat(SERVER.command("GET", "config:version")).isNotNull();
        assertThat(hub.get("/api/history/config").json().at("/data/config/sources").size())
                .isEqualTo(4);
        put("{}");
        await().until(
                        () ->
                                hub.get("/api/history/config")
                                        .json()
                                        .at("/data/effective/sources/0/pattern")
                                        .asString()
                                        .equals("comsrv:*:T"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"mode\":\"sometimes\"}",
                "{\"deadband\":-1}",
                "{\"interval\":0}",
                "{\"max_interval\":\"x\"}",
                "{\"retention_days\":0}",
                "{\"enabled\":1}",
                "{\"sources\":{}}",
                "{\"sources\":[{}]}",
                "{\"sources\":[{\"pattern\":\"comsrv:*:T\",\"mode\":\"x\"}]}",
                "{\"allow\":\"101\"}"
            })
    void what_cannot_be_meant_is_refused(String document) {
        TestHub.Reply reply = put(document);
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo("VALIDATION_ERROR");
    }

    @Test
    void what_somebody_else_has_spoilt_is_told() {
        SERVER.command("SET", "config:service:hissrv", "{\"mode\":\"sometimes\"}");
        await().until(() -> hub.get("/api/history/config").json().at("/data/faults").size() == 1);
        SERVER.command("DEL", "config:service:hissrv");
    }
}
