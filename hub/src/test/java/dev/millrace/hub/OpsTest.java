package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;

/** What an admin may ask of a hub. */
class OpsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final TestServer server = SharedServers.standalone();
    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(server);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    @Test
    void a_check_runs_in_the_background_and_repairs() throws Exception {
        try (RawConnection redis = server.connect()) {
            Damage.plant(redis);
        }
        assertThat(hub.send("POST", "/ops/fsck", "").status()).isEqualTo(202);
        JsonNode found = finished("/ops/fsck");
        assertThat(found.at("/last/end").asString()).isEqualTo("finished");
        assertThat(found.at("/last/left").asLong()).isEqualTo(3);
        assertThat(found.at("/last/found/missing entry").asLong()).isEqualTo(2);
        assertThat(found.at("/last/differences").size()).isEqualTo(3);

        hub.send("POST", "/ops/fsck", "{\"repair\":true}");
        await().atMost(PATIENCE)
                .until(() -> hub.get("/ops/fsck").json().at("/last/repaired").asLong() == 3);
        assertThat(hub.get("/ops/fsck").json().at("/last/left").asLong()).isZero();
        assertThat(audit()).contains("check started", "with repair", "check finished");
    }

    @Test
    void without_a_check_there_is_nothing_to_stop() {
        TestHub.Reply reply = hub.send("DELETE", "/ops/fsck", "");
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.body()).contains("No check is running here.");
    }

    @Test
    void memory_is_measured_in_the_background_and_shown_in_the_catalogue() throws Exception {
        try (RawConnection redis = server.connect()) {
            Damage.plant(redis);
            redis.command("SET", "nobody knows this", "value");
        }
        assertThat(hub.get("/ops/memory").json().get("last").isNull()).isTrue();
        assertThat(hub.get("/ops/catalogue?counts=true").json().get("counted").isNull()).isTrue();

        hub.send("POST", "/ops/memory", "");
        JsonNode measured = finished("/ops/memory");
        assertThat(measured.at("/last/used").asLong()).isPositive();
        assertThat(measured.at("/last/parts").size()).isPositive();

        JsonNode catalogue = hub.get("/ops/catalogue?counts=true").json();
        assertThat(catalogue.get("unknown").asLong()).isPositive();
        assertThat(catalogue.get("rooms").size()).isEqualTo(Rooms.all().size() + 1);
        long counted = 0;
        for (JsonNode room : catalogue.get("rooms")) {
            for (JsonNode each : room.get("declarations")) {
                counted += each.get("count").asLong();
            }
        }
        assertThat(counted).isPositive();
        assertThat(hub.get("/ops/catalogue").json().at("/rooms/0/declarations/0/count").isNull())
                .isTrue();
    }

    private JsonNode finished(String path) {
        await().atMost(PATIENCE).until(() -> !hub.get(path).json().get("running").asBoolean());
        return hub.get(path).json();
    }

    @Test
    void a_level_is_changed_for_a_time_and_falls_back() {
        String name = "dev.millrace.hub.test";
        TestHub.Reply reply =
                hub.send(
                        "PUT",
                        "/ops/log",
                        "{\"logger\":\"%s\",\"level\":\"debug\",\"for\":\"1s\"}".formatted(name));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).contains("\"logger\":\"%s\",\"level\":\"debug\"".formatted(name));
        await().atMost(PATIENCE).until(() -> !LoggerFactory.getLogger(name).isDebugEnabled());
        assertThat(hub.get("/ops/log").json().get("levels").toString()).doesNotContain(name);
        assertThat(audit()).contains("log level changed", name + " to debug for 1s");
    }

    @Test
    void what_is_no_level_is_said() {
        TestHub.Reply reply = hub.send("PUT", "/ops/log", "{\"level\":\"loud\"}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("use off, error, warn, info, debug or trace");
        assertThat(hub.send("PUT", "/ops/log", "{\"level\":\"info\",\"for\":\"soon\"}").status())
                .isEqualTo(400);
    }

    @Test
    void the_last_lines_name_the_request_they_belong_to() {
        hub.send("PUT", "/ops/log", "{\"level\":\"info\"}");
        JsonNode lines = hub.get("/ops/log?lines=1000").json().get("lines");
        JsonNode line = null;
        for (JsonNode each : lines) {
            line = each.get("message").asString().startsWith("log level changed") ? each : line;
        }
        assertThat(line).isNotNull();
        assertThat(line.get("request").asString()).matches("[a-z0-9]+-[a-z0-9]+");
    }

    @Test
    void a_token_is_made_used_and_revoked() {
        TestHub.Reply made =
                hub.send(
                        "POST",
                        "/ops/tokens",
                        "{\"name\":\"grafana\",\"role\":\"viewer\",\"scopes\":[\"ops\"],\"expires\":\"90d\"}");
        assertThat(made.status()).isEqualTo(201);
        String text = made.json().get("text").asString();
        String id = made.json().at("/token/id").asString();
        assertThat(hub.get("/ops/tokens").body()).contains(id).doesNotContain(text);
        assertThat(hub.send("DELETE", "/ops/tokens/" + id, "").status()).isEqualTo(200);
        assertThat(hub.send("DELETE", "/ops/tokens/" + id, "").status()).isEqualTo(404);
        assertThat(hub.get("/ops/tokens").body()).doesNotContain(id);
        assertThat(audit()).contains("token made", "token revoked").doesNotContain(text);
    }

    @Test
    void nobody_gives_more_than_he_has() {
        try (TestHub closed = TestHub.start(server, "access.mode=token")) {
            Optional<String> limited =
                    Optional.of(closed.token("limited", Role.ADMIN, Scope.parse("ops")));
            TestHub.Reply more =
                    closed.send(
                            "POST",
                            "/ops/tokens",
                            "{\"name\":\"more\",\"role\":\"viewer\"}",
                            limited);
            assertThat(more.status()).isEqualTo(403);
            assertThat(more.body()).contains("reaches further than your own");
            assertThat(
                            closed.send(
                                            "POST",
                                            "/ops/tokens",
                                            "{\"name\":\"same\",\"role\":\"admin\",\"scopes\":[\"ops\"]}",
                                            limited)
                                    .status())
                    .isEqualTo(201);
        }
    }

    @Test
    void settings_are_shown_without_secrets() {
        JsonNode settings = hub.get("/ops/settings").json().get("settings");
        assertThat(settings.toString()).contains("\"name\":\"redis.url\"", "\"from\":\"--set\"");
    }

    @Test
    void figures_are_there_for_prometheus() {
        hub.get("/health/ready");
        assertThat(hub.get("/metrics").body())
                .contains(
                        "millrace_http_requests_seconds_bucket{method=\"GET\",route=\"/health/ready\"",
                        "millrace_redis_requests_total",
                        "millrace_redis_round_trip_seconds_count",
                        "millrace_redis_round_trip_slowest_seconds",
                        "millrace_redis_waiting",
                        "millrace_feed_bytes{topic=\"audit\"}",
                        "jvm_memory_used_bytes",
                        "jvm_threads_live_threads",
                        "process_files_open_files",
                        "process_cpu_usage",
                        "millrace_build_info{");
        JsonNode figures = hub.get("/ops/figures").json();
        assertThat(figures.get("requests").asLong()).isPositive();
        assertThat(figures.get("redisRoundTripMillis").asDouble()).isPositive();
    }

    private String audit() {
        return hub.get("/ops/audit?limit=50").body();
    }
}
