package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.util.List;

/** Configurations of channels, from their creation to their end. */
@OnEachSite
class DeviceChannelsTest {
    private static final String PUMP =
            """
            {"id":5,"name":"Pump","protocol":"Modbus-TCP","parameters":{"host":"h","port":502},
             "points":{"T":[{"point_id":101,"signal_name":"Flow","unit":"l/s","max_value":50},
                            {"point_id":102,"deadband":1}],"C":[{"point_id":7}]},
             "extra":{"kept":true}}
            """;

    @Parameter Site site;

    @Test
    void a_channel_is_made_changed_used_and_removed() {
        String url = site.url();
        SharedServers.flushAll();
        try (TestHub hub = TestHub.start(url)) {
            TestHub.Reply made = hub.send("POST", "/api/channels", PUMP);
            assertThat(made.status()).as(made.body()).isEqualTo(201);
            assertThat(made.header("location")).isEqualTo("/api/channels/5");
            assertThat(made.json().at("/data/_version").asInt()).isEqualTo(1);
            TestHub.Reply twice = hub.send("POST", "/api/channels", PUMP);
            assertThat(twice.json().at("/error/code").asString()).isEqualTo("ALREADY_EXISTS");

            assertThat(
                            hub.get("/api/channels?protocol=modbus_tcp&status=offline")
                                    .json()
                                    .at("/data/items/0/name")
                                    .asString())
                    .isEqualTo("Pump");
            assertThat(hub.get("/api/channels/5").json().at("/data/extra/kept").asBoolean(false))
                    .isTrue();
            assertThat(hub.get("/api/channels/5/points?type=T").json().at("/data/total").asInt())
                    .isEqualTo(2);

            hub.send("POST", "/api/channels/5/T", "{\"101\":51,\"102\":10}");
            assertThat(hub.get("/api/channels/5/T/101").json().at("/data/quality").asString())
                    .isEqualTo("bad");
            hub.send("POST", "/api/channels/5/T", "{\"101\":49,\"102\":10.9}");
            assertThat(hub.get("/api/channels/5/T/102").json().at("/data/value").asDouble())
                    .isEqualTo(10);
            hub.send("POST", "/api/channels/5/T", "{\"102\":11}");
            assertThat(hub.get("/api/channels/5/T/102").json().at("/data/value").asDouble())
                    .isEqualTo(11);
            assertThat(hub.get("/api/channels/5/T/101").json().at("/data/quality").asString())
                    .isEqualTo("good");

            TestHub.Reply batch =
                    hub.send(
                            "POST",
                            "/api/channels/5/points/batch",
                            """
                            {"create":[{"type":"S","point_id":1}],
                             "update":[{"type":"T","point_id":101,"unit":"m3/h"}],
                             "delete":[{"type":"C","point_id":7}]}
                            """);
            assertThat(batch.json().at("/data/_version").asInt()).as(batch.body()).isEqualTo(2);
            assertThat(hub.get("/api/channels/5/points?type=C").json().at("/data/total").asInt())
                    .isZero();
            assertThat(
                            hub.send(
                                            "POST",
                                            "/api/channels/5/points/batch",
                                            "{\"delete\":[{\"type\":\"C\",\"point_id\":7}]}")
                                    .json()
                                    .at("/error/code")
                                    .asString())
                    .isEqualTo("POINT_NOT_FOUND");

            hub.send("PUT", "/api/channels/5/enabled", "{\"enabled\":true}");
            TestHub.Reply off = hub.send("PUT", "/api/channels/5/enabled", "{\"enabled\":false}");
            assertThat(off.json().at("/data/_version").asInt()).isEqualTo(4);
            assertThat(hub.get("/api/channels/5").json().at("/data/state/status").asString())
                    .isEqualTo("offline");
            hub.send("PUT", "/api/channels/5/enabled", "{\"enabled\":false}");
            assertThat(hub.get("/api/channels/5").json().at("/data/_version").asInt()).isEqualTo(4);

            assertThat(hub.keyspace().check().run().findings()).isEmpty();
            assertThat(hub.send("DELETE", "/api/channels/5", "").status()).isEqualTo(200);
            assertThat(hub.get("/api/channels/5").status()).isEqualTo(404);
            assertThat(hub.get("/api/channels/5/T").status()).isEqualTo(404);
            assertThat(hub.get("/api/channels").json().at("/data/total").asInt()).isZero();
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        }
    }

    @Test
    void a_configuration_that_cannot_be_is_refused_and_changes_nothing() {
        String url = site.url();
        SharedServers.flushAll();
        try (TestHub hub = TestHub.start(url)) {
            hub.send("POST", "/api/channels", PUMP);
            for (String wrong :
                    List.of(
                            "{\"id\":6}",
                            "{\"id\":0,\"protocol\":\"virtual\"}",
                            "{\"id\":65536,\"protocol\":\"virtual\"}",
                            "{\"id\":6,\"protocol\":\"virtual\",\"points\":[]}",
                            "{\"id\":6,\"protocol\":\"virtual\",\"points\":{\"X\":[]}}",
                            "{\"id\":6,\"protocol\":\"virtual\",\"points\":{\"T\":[{\"point_id\":0}]}}",
                            "{\"id\":6,\"protocol\":\"virtual\",\"points\":{\"T\":[{\"point_id\":1},{\"point_id\":1}]}}",
                            "{\"id\":6,\"protocol\":\"virtual\",\"points\":{\"T\":[{\"point_id\":1,\"scale\":0}]}}",
                            "{\"id\":6,\"protocol\":\"virtual\",\"parameters\":{\"polling_interval_ms\":0}}",
                            "{\"id\":6,\"protocol\":\"modbus_tcp\",\"parameters\":{\"host\":\"h\",\"port\":502}}")) {
                TestHub.Reply reply = hub.send("POST", "/api/channels", wrong);
                assertThat(reply.status()).as(wrong + reply.body()).isEqualTo(400);
                assertThat(reply.json().at("/error/code").asString()).isEqualTo("VALIDATION_ERROR");
            }
            assertThat(hub.send("PUT", "/api/channels/5", "{\"id\":6}").status()).isEqualTo(400);
            assertThat(hub.send("PUT", "/api/channels/6", PUMP.replace("5,", "6,")).status())
                    .isEqualTo(404);
            assertThat(hub.get("/api/channels").json().at("/data/total").asInt()).isEqualTo(1);
            assertThat(hub.get("/api/channels/5").json().at("/data/_version").asInt()).isEqualTo(1);
        }
    }
}
