package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Channels whose devices are talked to: what is heard of them, and who talks. */
@OnEachSite
class DevicesTest {
    private static final String PUMP =
            """
            {"id":21,"name":"Pump","protocol":"virtual",
             "parameters":{"polling_interval_ms":50,"offline_after":60},
             "points":{"T":[{"point_id":1,"scale":0.1,"offset":2,
                             "mapping":{"signal":"counter","rate":1000}},
                            {"point_id":2,"max_value":5,"mapping":{"signal":"constant","value":7}}],
                       "S":[{"point_id":1,"reverse":true,"mapping":{"signal":"constant"}}]}}
            """;

    @Parameter Site site;
    private TestHub hub;

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private JsonNode data(TestHub asked, String path) {
        TestHub.Reply reply = asked.get(path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().path("data");
    }

    private JsonNode status() {
        return data(hub, "/api/channels/21/status");
    }

    private long polls() {
        return status().at("/statistics/success_count").asLong();
    }

    private TestHub.Reply control(String operation) {
        return hub.send(
                "POST", "/api/channels/21/control", "{\"operation\":\"%s\"}".formatted(operation));
    }

    private Map<String, String> hash(String key) {
        return site.dump().entrySet().stream()
                .filter(each -> each.getKey().endsWith(key))
                .map(each -> (Map<?, ?>) each.getValue())
                .findFirst()
                .map(
                        found -> {
                            Map<String, String> texts = new TreeMap<>();
                            found.forEach(
                                    (field, value) ->
                                            texts.put(
                                                    String.valueOf(field), String.valueOf(value)));
                            return texts;
                        })
                .orElse(Map.of());
    }

    private void configure() {
        TestHub.Reply made = hub.send("POST", "/api/channels", PUMP);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        await().until(() -> polls() > 1);
    }

    @Test
    void values_come_converted_with_their_quality_and_the_channel_is_online() {
        configure();
        JsonNode flow = data(hub, "/api/channels/21/T/1");
        // As it is written: without an exponent, however far the counter has come by now.
        assertThat(hub.get("/api/channels/21/T/1").body())
                .containsPattern("\"value\":[0-9]+(\\.[0-9])?[,}]");
        assertThat(flow.path("quality").asString()).isEqualTo("good");
        assertThat(data(hub, "/api/channels/21/T/2").path("quality").asString()).isEqualTo("bad");
        assertThat(data(hub, "/api/channels/21/S/1").path("value").asInt()).isEqualTo(1);
        Map<String, String> status = hash("status:channel:21");
        assertThat(status).containsEntry("status", "online").containsEntry("error_count", "0");
        assertThat(hash("comsrv:21:status"))
                .containsEntry("online", "true")
                .containsEntry("error_count", "0");
        JsonNode seen = status();
        assertThat(seen.path("running").asBoolean()).isTrue();
        assertThat(seen.path("polled").asBoolean()).isTrue();
        assertThat(seen.at("/statistics/average_read_ms").isNumber()).isTrue();
        assertThat(data(hub, "/api/status").path("active_channels").asInt()).isEqualTo(1);
        assertThat(hub.keyspace().check().run().findings()).isEmpty();
    }

    @Test
    void an_alarm_goes_off_with_the_value_that_a_device_says() {
        hub.send(
                "POST",
                "/api/alarm-rules",
                """
                {"id":"seven","source_key":"comsrv:21:T","field":"2","operator":">","threshold":6,
                 "on_bad_quality":"evaluate"}
                """);
        configure();
        await().until(
                        () ->
                                hub.get("/api/alarms/seven")
                                        .json()
                                        .at("/data/status")
                                        .asString("")
                                        .equals("active"));
    }

    @Test
    void a_channel_is_stopped_stays_so_and_starts_again() {
        configure();
        assertThat(control("stop").json().at("/data/running").asBoolean(true)).isFalse();
        assertThat(data(hub, "/api/queues/audit").path("items").valueStream())
                .filteredOn(each -> each.path("type").asString("").equals("channel_operation"))
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.path("id").asString("")).isEqualTo("21");
                            assertThat(each.at("/before/running").asBoolean(false)).isTrue();
                            assertThat(each.at("/after/running").asBoolean(true)).isFalse();
                        });
        await().until(() -> hash("status:channel:21").getOrDefault("status", "").equals("offline"));
        assertThat(hash("comsrv:21:status")).containsEntry("online", "false");
        assertThat(data(hub, "/api/channels/21/T/1").path("quality").asString())
                .isEqualTo("offline");
        assertThat(data(hub, "/api/status").path("active_channels").asInt()).isZero();
        assertThat(status().path("running").asBoolean(true)).isFalse();
        hub.close();
        hub = TestHub.start(site.url());
        assertThat(status().path("running").asBoolean(true)).isFalse();
        assertThat(status().path("status").asString()).isEqualTo("offline");
        assertThat(control("start").json().at("/data/running").asBoolean(false)).isTrue();
        await().until(() -> status().path("status").asString().equals("online"));
        assertThat(data(hub, "/api/channels/21/T/1").path("quality").asString()).isEqualTo("good");
        String started = started();
        assertThat(control("restart").status()).isEqualTo(200);
        await().until(() -> !started().equals(started));
    }

    private String started() {
        return status().at("/statistics/started_at").asString("");
    }

    @Test
    void what_cannot_be_started_is_refused() {
        configure();
        assertThat(control("pause").status()).isEqualTo(400);
        assertThat(control("").status()).isEqualTo(400);
        assertThat(hub.send("POST", "/api/channels/21/control", "[]").status()).isEqualTo(400);
        assertThat(
                        hub.send("POST", "/api/channels/22/control", "{\"operation\":\"stop\"}")
                                .json()
                                .at("/error/code")
                                .asString())
                .isEqualTo("CHANNEL_NOT_FOUND");
        hub.send("POST", "/api/channels", "{\"id\":23,\"protocol\":\"iec60870\"}");
        assertThat(
                        hub.send("POST", "/api/channels/23/control", "{\"operation\":\"start\"}")
                                .status())
                .isEqualTo(409);
        hub.send("PUT", "/api/channels/21/enabled", "{\"enabled\":false}");
        assertThat(control("start").json().at("/error/code").asString()).isEqualTo("INVALID_STATE");
        assertThat(control("stop").status()).isEqualTo(200);
    }

    @Test
    void a_configuration_that_the_protocol_cannot_use_is_refused() {
        TestHub.Reply reply =
                hub.send(
                        "POST",
                        "/api/channels",
                        """
                        {"id":24,"protocol":"virtual","points":{"T":[{"point_id":3,
                          "mapping":{"signal":"zigzag"}}]}}
                        """);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("points.T, point 3").contains("zigzag");
        assertThat(hub.get("/api/channels/24").status()).isEqualTo(404);
    }

    @Test
    void a_channel_that_was_deleted_does_not_come_back() {
        configure();
        try (TestHub other = TestHub.start(site.url())) {
            // It may be the other one that polls; it learns of the end a moment later.
            assertThat(other.send("DELETE", "/api/channels/21", "").status()).isEqualTo(200);
            hub.send("POST", "/api/channels", PUMP.replace("21", "25"));
            await().until(
                            () ->
                                    data(hub, "/api/channels/25/status")
                                                    .at("/statistics/success_count")
                                                    .asLong()
                                            > 40);
            assertThat(site.allKeys())
                    .noneMatch(key -> key.replaceFirst("^\\{[^}]*}", "").startsWith("comsrv:21:"));
            assertThat(site.allKeys()).noneMatch(key -> key.endsWith("status:channel:21"));
        }
    }

    @Test
    void points_come_and_go_while_it_is_polled() {
        configure();
        hub.send(
                "POST",
                "/api/channels/21/points/batch",
                """
                {"create":[{"type":"T","point_id":9,"mapping":{"signal":"constant","value":3}}],
                 "delete":[{"type":"T","point_id":2}]}
                """);
        await().until(() -> hub.get("/api/channels/21/T/9").status() == 200);
        assertThat(data(hub, "/api/channels/21/T/9").path("value").asInt()).isEqualTo(3);
    }

    @Test
    void of_two_hubs_one_polls_and_the_other_goes_on() {
        configure();
        try (TestHub other = TestHub.start(site.url())) {
            long before = polls();
            await().until(() -> polls() > before + 20);
            assertThat(driven(hub) + driven(other)).isEqualTo(1);
            assertThat(driven(hub)).as("whoever has it keeps it").isEqualTo(1);
            hub.close();
            await().until(() -> driven(other) == 1);
            await().until(
                            () ->
                                    data(other, "/api/channels/21/status")
                                                    .at("/statistics/success_count")
                                                    .asLong()
                                            > 2);
        } finally {
            hub = TestHub.start(site.url());
        }
    }

    private static int driven(TestHub asked) {
        return List.of(asked.get("/metrics").body().split("\n")).stream()
                .filter(line -> line.startsWith("millrace_telemetry_channels_driven "))
                .map(line -> (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElse(0);
    }
}
