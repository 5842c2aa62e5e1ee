package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

/**
 * Worked examples of the specification, as another client of the same Redis sees them: the lock
 * that one owner has at a time (E7), and the model that a value comes into (E9). The example of
 * history (E6) is beside its room.
 */
class WorkedExamplesTest {
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

    private static String redis(String... command) {
        return String.valueOf(SERVER.command(command));
    }

    private static TestHub.Reply acquire(String owner) {
        return hub.send("POST", "/api/locks/job.x", "{\"owner\":\"" + owner + "\",\"ttl\":30}");
    }

    private static int release(String token) {
        return hub.send("DELETE", "/api/locks/job.x", "{\"token\":\"" + token + "\"}").status();
    }

    @Test
    void a_lock_is_given_back_by_its_owner_alone() {
        String first = acquire("a1").json().at("/data/token").asString();
        assertThat(first).matches("a1:[0-9]{13}");
        assertThat(redis("GET", "sync:lock:job.x")).isEqualTo(first);
        assertThat(Long.parseLong(redis("PTTL", "sync:lock:job.x"))).isBetween(1L, 30_000L);
        assertThat(acquire("b1").status()).isEqualTo(409);
        assertThat(release("b1:1754568000000")).isEqualTo(409);
        assertThat(redis("GET", "sync:lock:job.x")).isEqualTo(first);

        // Its time passes.
        redis("PEXPIRE", "sync:lock:job.x", "1");
        await().until(() -> redis("EXISTS", "sync:lock:job.x").equals("0"));
        String second = acquire("b1").json().at("/data/token").asString();
        assertThat(second).startsWith("b1:");
        assertThat(release(first)).isEqualTo(409);
        assertThat(redis("GET", "sync:lock:job.x")).isEqualTo(second);
        assertThat(release(second)).isEqualTo(200);
        assertThat(redis("EXISTS", "sync:lock:job.x")).isEqualTo("0");
    }

    @Test
    void a_value_comes_into_the_model_that_its_point_is_mapped_to() {
        hub.send(
                "PUT",
                "/api/models/tr_1",
                "{\"mappings\":{\"measurement\":{\"temperature\":{\"channel\":1,\"point_id\":101}}}}");
        hub.send(
                "PUT",
                "/api/alarm-rules/hot",
                "{\"source_key\":\"model:tr_1:measurement\",\"field\":\"temperature\","
                        + "\"operator\":\">\",\"threshold\":75}");
        hub.send("POST", "/api/channels/1/T", "{\"101\":75.5}");
        await().until(
                        () ->
                                redis("GET", "model:tr_1:measurement")
                                        .equals("{\"temperature\":75.5}"));
        assertThat(redis("HGET", "model:tr_1:status", "state")).isEqualTo("normal");
        assertThat(redis("HGET", "sync:comsrv_to_modsrv", "comsrv:1:T:101"))
                .isEqualTo("model:tr_1:measurement:temperature");
        // The measurement and the alarm are one commit.
        assertThat(redis("HGET", "alarm:hot", "status")).isEqualTo("active");
        assertThat(redis("HGET", "alarm:hot", "trigger_value")).isEqualTo("75.5");
    }

    @Test
    void what_divides_by_zero_is_a_fault_of_its_measurement_and_no_value() {
        hub.send(
                "PUT",
                "/api/models/ratio",
                """
                {"mappings":{"measurement":{"a":{"channel":2,"point_id":1},"b":{"channel":2,"point_id":2},
                  "share":{"expression":"a / b"}}}}
                """);
        hub.send("POST", "/api/channels/2/T", "{\"1\":6,\"2\":0}");
        await().until(() -> redis("HGET", "model:ratio:status", "state").equals("fault"));
        assertThat(redis("HGET", "model:ratio:status", "error_msg")).contains("share");
        JsonNode measured = hub.get("/api/models/ratio/data").json().at("/data/measurement");
        assertThat(measured.propertyNames()).containsExactlyInAnyOrder("a", "b");
        hub.send("POST", "/api/channels/2/T", "{\"2\":3}");
        await().until(() -> redis("HGET", "model:ratio:status", "state").equals("normal"));
        assertThat(redis("GET", "model:ratio:measurement")).contains("\"share\":2");
    }

    @Test
    void a_write_of_a_thousand_points_is_recorded_and_so_is_what_comes_after_it() {
        StringBuilder body = new StringBuilder("{");
        for (int point = 1; point <= 1000; point++) {
            body.append(point == 1 ? "" : ",")
                    .append('"')
                    .append(point)
                    .append("\":")
                    .append(point);
        }
        assertThat(hub.send("POST", "/api/channels/3/T", body.append("}").toString()).status())
                .isEqualTo(200);
        hub.send("POST", "/api/channels/3/S", "{\"1\":1}");
        await().until(() -> redis("HGET", "history:statistics:comsrv:3", "count").equals("1001"));
        assertThat(redis("HGET", "history:statistics:comsrv:3", "min")).isEqualTo("1");
        assertThat(redis("HGET", "history:statistics:comsrv:3", "max")).isEqualTo("1000");
    }
}
