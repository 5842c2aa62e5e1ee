package dev.millrace.hub.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What other programs write into the keys of models, on a single server. */
class ForeignModelsTest {
    private static TestServer server;
    private static TestHub hub;
    private static TestHub second;

    @BeforeAll
    static void start() {
        server = TestServer.start();
        hub = TestHub.start(server.url());
        second = TestHub.start(server.url());
    }

    @AfterAll
    static void stop() {
        second.close();
        hub.close();
        server.close();
    }

    private static String text(String... command) {
        return String.valueOf(server.command(command));
    }

    @Test
    void a_measurement_that_somebody_has_set_raises_alarms_once() {
        hub.send(
                "PUT",
                "/api/models/f1",
                "{\"mappings\":{},\"alarms\":{\"hot\":{\"field\":\"t\",\"operator\":\">\",\"threshold\":85}}}");
        server.command("SET", "model:f1:measurement", "{\"t\":90}");
        await().until(() -> "active".equals(text("HGET", "alarm:f1.hot", "status")));
        server.command("SET", "model:f1:measurement", "{\"t\":80}");
        await().until(() -> "cleared".equals(text("HGET", "alarm:f1.hot", "status")));
        assertThat(
                        ((List<?>) server.command("LRANGE", "measurement:sync", "0", "-1"))
                                .stream().filter(each -> String.valueOf(each).contains("\"f1\"")))
                .hasSize(2);
    }

    private static long told(String model) {
        return ((List<?>) server.command("LRANGE", "measurement:sync", "0", "-1"))
                .stream().filter(each -> String.valueOf(each).contains(model)).count();
    }

    /** Of another room, of which nothing is wanted. */
    private static <T> T unused(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            throw new AssertionError(method);
                        }));
    }

    @Test
    void what_a_hub_has_written_between_two_looks_is_told_once() {
        hub.send("PUT", "/api/models/f9", "{\"mappings\":{}}");
        hub.send("POST", "/api/models/f9/measurement", "{\"v\":1}");
        String signed = text("HGET", ModelsLayouts.WRITTEN.at().key(), "f9");
        hub.send("POST", "/api/models/f9/measurement", "{\"v\":2}");
        assertThat(told("f9")).isEqualTo(2);
        ModelWrites writes =
                new ModelWrites(
                        hub.keyspace(), unused(Site.class), unused(Points.class), List.of());
        Model model = new Model("f9", "f9", "", "", Map.of(), Map.of());
        // Whoever has read the signature before the second write and the value behind it.
        writes.foreign(model, Set.of("v"), Instant.now(), signed);
        assertThat(told("f9")).isEqualTo(2);
        server.command("SET", "model:f9:measurement", "{\"v\":3}");
        await().until(() -> told("f9") == 3);
    }

    @Test
    void a_model_that_somebody_has_written_is_taken_over() {
        server.command(
                "SET",
                "config:model:f2",
                "{\"name\":\"Two\",\"mappings\":{\"measurement\":{\"v\":{\"channel\":7,\"point_id\":1}}}}");
        await().until(() -> hub.get("/api/models/f2").status() == 200);
        server.command("HSET", "comsrv:7:T", "1", "5");
        await().until(() -> "{\"v\":5}".equals(text("GET", "model:f2:measurement")));
        assertThat(text("SMEMBERS", "model:index")).contains("f2");
    }

    @Test
    void an_entry_of_the_map_by_hand_feeds_a_measurement_and_another_channel() {
        hub.send("PUT", "/api/models/f3", "{\"mappings\":{}}");
        server.command(
                "HSET",
                "sync:comsrv_to_modsrv",
                "comsrv:8:T:1",
                "[\"model:f3:measurement:copied\",\"comsrv:9:T:4\",\"model:none:measurement:x\"]");
        server.command("HSET", "sync:comsrv_to_modsrv", "comsrv:9:T:4", "comsrv:8:T:1");
        server.command("HSET", "sync:comsrv_to_modsrv", "comsrv:8:T:2", "comsrv:9:T:5");
        await().until(
                        () -> {
                            hub.send("POST", "/api/channels/8/T", "{\"1\":3,\"2\":4}");
                            return "{\"copied\":3}".equals(text("GET", "model:f3:measurement"))
                                    && "4".equals(text("HGET", "comsrv:9:T", "5"));
                        });
        // What would go round in a circle goes nowhere.
        assertThat(text("HGET", "comsrv:9:T", "4")).isEqualTo("null");
    }

    @Test
    void a_spoilt_key_of_one_model_does_not_hold_up_the_others() {
        hub.send(
                "PUT",
                "/api/models/f4",
                "{\"mappings\":{\"measurement\":{\"v\":{\"channel\":11,\"point_id\":1}}}}");
        hub.send(
                "PUT",
                "/api/models/f5",
                "{\"mappings\":{\"measurement\":{\"v\":{\"channel\":11,\"point_id\":1}}}}");
        server.command("DEL", "model:f4:status");
        server.command("SET", "model:f4:status", "nonsense");
        hub.send("POST", "/api/channels/11/T", "{\"1\":6}");
        await().until(() -> "{\"v\":6}".equals(text("GET", "model:f5:measurement")));
        TestHub.Reply refused = hub.send("POST", "/api/models/f4/measurement", "{\"v\":1}");
        assertThat(refused.json().at("/error/code").asString()).isEqualTo("STORE_TYPE_CONFLICT");
    }
}
