package dev.millrace.hub.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Patterns and jobs, with two hubs. */
@OnEachSite
class SyncTest {
    private static TestHub hub;

    @Parameter Site site;

    @BeforeEach
    void start() {
        if (hub == null) {
            String url = site.url();
            SharedServers.flushAll();
            hub = TestHub.start(url);
        }
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        hub.close();
        hub = null;
    }

    private JsonNode run(String pattern) {
        TestHub.Reply reply = hub.send("POST", "/api/sync/patterns/" + pattern + "/run", "");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().get("data");
    }

    private void put(String path, String body) {
        TestHub.Reply reply = hub.send("PUT", path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private void values(int channel, String values) {
        assertThat(hub.send("POST", "/api/channels/" + channel + "/T", values).status())
                .isEqualTo(200);
    }

    @Test
    void a_pattern_copies_what_fits_to_keys_that_are_its_own() {
        values(1, "{\"101\":20,\"102\":3}");
        values(2, "{\"101\":21}");
        put(
                "/api/sync/patterns/board",
                """
                {"source":{"pattern":"comsrv:*:T","type":"hash"},
                 "target":{"pattern":"dashboard:$1:summary","type":"hash"},
                 "field_mapping":{"101":"temperature"},
                 "transform":{"type":"numeric","scale":2,"offset":0.5}}
                """);
        JsonNode first = run("board");
        assertThat(first.get("matched_keys").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(first.get("errors").size()).as(first.toString()).isZero();
        assertThat(run("board").get("total_synced").asInt()).isGreaterThanOrEqualTo(2);
        if (!site.cluster()) {
            assertThat(site.command("dashboard:1:summary", "HGETALL", "dashboard:1:summary"))
                    .isEqualTo(List.of("temperature", "40.5", "102", "6.5"));
        }
        assertThat(hub.get("/api/sync/patterns/board").json().at("/data/sync_count").asInt())
                .isEqualTo(2);
    }

    @Test
    void a_pattern_writes_values_as_if_they_had_been_sent() {
        values(5, "{\"1\":7}");
        put(
                "/api/sync/patterns/copy",
                "{\"source\":{\"pattern\":\"comsrv:5:T\"},\"target\":{\"pattern\":\"comsrv:6:T\"}}");
        assertThat(run("copy").get("total_synced").asInt()).isEqualTo(1);
        assertThat(hub.get("/api/channels/6/T/1").json().at("/data/value").asInt()).isEqualTo(7);
    }

    @Test
    void keys_of_others_are_left_alone() {
        values(3, "{\"1\":1}");
        for (String target :
                List.of(
                        "alarm:rule:$1",
                        "config:channel:$1",
                        "rule:x$1",
                        "sync:lock:$1",
                        "millrace:x:$1",
                        "login:")) {
            put(
                    "/api/sync/patterns/bad",
                    "{\"source\":{\"pattern\":\"comsrv:*:T\"},\"target\":{\"pattern\":\"%s\"}}"
                            .formatted(target));
            JsonNode result = run("bad");
            assertThat(result.get("total_synced").asInt()).as(target).isZero();
            assertThat(result.get("errors").size()).as(target).isPositive();
        }
    }

    @Test
    void what_the_hub_does_anyway_can_be_asked_for_by_name() {
        assertThat(run("comsrv_to_alarmsrv").has("matched_keys")).isTrue();
        assertThat(run("comsrv_to_hissrv").get("total_synced").asInt()).isZero();
        assertThat(hub.send("POST", "/api/sync/patterns/nothing/run", "").status()).isEqualTo(404);
    }

    @Test
    void bad_patterns_and_jobs_are_refused() {
        for (String body :
                List.of(
                        "{}",
                        "{\"source\":{\"pattern\":\"*\"},\"target\":{\"pattern\":\"a:b\"}}",
                        "{\"source\":{\"pattern\":\"millrace:*\"},\"target\":{\"pattern\":\"a:$1\"}}",
                        "{\"source\":{\"pattern\":\"a:*\"},\"target\":{\"pattern\":\"a:$1\"}}",
                        "{\"source\":{\"pattern\":\"a:*\"},\"target\":{\"pattern\":\"b:$2\"}}",
                        "{\"source\":{\"pattern\":\"a:*\"},\"target\":{\"pattern\":\"b:*\"}}",
                        "{\"source\":{\"pattern\":\"a:*\",\"type\":\"set\"},\"target\":{\"pattern\":\"b:$1\"}}",
                        "{\"source\":{\"pattern\":\"a:*\"},\"target\":{\"pattern\":\"b:$1\"},\"transform\":{\"type\":\"x\"}}",
                        "{\"source\":{\"pattern\":\"a:*\"},\"target\":{\"pattern\":\"b:$1\"},\"reverse_mapping\":{\"enabled\":true}}")) {
            assertThat(hub.send("PUT", "/api/sync/patterns/wrong", body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        for (String body :
                List.of(
                        "{}",
                        "{\"pattern\":\"p\"}",
                        "{\"pattern\":\"p\",\"interval\":0}",
                        "{\"pattern\":\"p\",\"interval\":1.5}",
                        "{\"pattern\":\"p\",\"interval\":5,\"cron\":\"* * * * *\"}",
                        "{\"pattern\":\"p\",\"cron\":\"often\"}",
                        "{\"pattern\":\"a:b\",\"interval\":5}")) {
            assertThat(hub.send("PUT", "/api/sync/jobs/wrong", body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(hub.get("/api/sync/jobs/wrong").status()).isEqualTo(404);
    }

    @Test
    void a_job_of_a_second_runs_once_a_second_with_two_hubs() {
        try (TestHub second = TestHub.start(site.url())) {
            put(
                    "/api/sync/patterns/tick",
                    "{\"source\":{\"pattern\":\"comsrv:9:T\"},\"target\":{\"pattern\":\"ticks:x\"}}");
            put("/api/sync/jobs/tick", "{\"pattern\":\"tick\",\"interval\":1}");
            long first = ranAt(2);
            long runs = job().get("runs").asLong();
            await().until(() -> job().get("runs").asLong() >= runs + 4);
            JsonNode later = job();
            long seconds = later.get("last_run").asLong() - first;
            assertThat(later.get("runs").asLong() - runs).isLessThanOrEqualTo(seconds);
            assertThat(later.get("last_status").asString()).isEqualTo("ok");
            assertThat(second.get("/api/sync/jobs/tick").status()).isEqualTo(200);
        }
        // The other hub is gone, and it goes on.
        long runs = job().get("runs").asLong();
        await().until(() -> job().get("runs").asLong() >= runs + 2);
        hub.send("DELETE", "/api/sync/jobs/tick", "");
    }

    private JsonNode job() {
        return hub.get("/api/sync/jobs/tick").json().get("data");
    }

    private long ranAt(int runs) {
        await().until(() -> job().get("runs").asLong() >= runs);
        return job().get("last_run").asLong();
    }

    @Test
    void a_job_without_a_pattern_is_in_error() {
        put("/api/sync/jobs/lost", "{\"pattern\":\"nobody\",\"interval\":3600}");
        await().until(
                        () ->
                                hub.get("/api/sync/jobs/lost")
                                        .json()
                                        .at("/data/last_status")
                                        .asString("")
                                        .equals("error"));
        assertThat(hub.get("/api/sync/jobs/lost").json().at("/data/failures").asInt()).isEqualTo(1);
    }
}
