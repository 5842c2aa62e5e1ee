package dev.millrace.hub.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Configuration, events, locks and temporary values, as a client sees them. */
@OnEachSite
class SiteTest {
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

    private TestHub.Reply put(String path, String body) {
        return hub.send("PUT", path, body);
    }

    private JsonNode data(String path) {
        TestHub.Reply reply = hub.get(path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().get("data");
    }

    private static String code(TestHub.Reply reply) {
        return reply.status() + " " + reply.json().at("/error/code").asString("");
    }

    private long version() {
        return data("/api/config/version").get("version").asLong();
    }

    // ---------------------------------------------------------------- configuration

    @Test
    void the_same_saved_twice_counts_once_and_an_old_version_is_refused() throws Exception {
        long before = version();
        TestHub.Reply made = put("/api/config/services/pump", "{\"speed\":5}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(version()).isEqualTo(before + 1);
        assertThat(put("/api/config/services/pump", "{\"speed\":5}").status()).isEqualTo(200);
        assertThat(version()).isEqualTo(before + 1);
        assertThat(put("/api/config/services/pump", "{\"speed\":6}").status()).isEqualTo(200);
        assertThat(version()).isEqualTo(before + 2);
        assertThat(ifMatch("/api/config/services/pump", "{\"speed\":7}", before + 1))
                .isEqualTo(412);
        assertThat(ifMatch("/api/config/services/pump", "{\"speed\":7}", before + 2))
                .isEqualTo(200);
        assertThat(data("/api/config/services/pump").get("_version").asLong())
                .isEqualTo(before + 3);
        assertThat(data("/api/config/versions").at("/items/0/changes/0/old/speed").asInt())
                .isEqualTo(6);
        assertThat(data("/api/config/versions/" + (before + 3)).at("/changes/0/new/speed").asInt())
                .isEqualTo(7);
    }

    private int ifMatch(String path, String body, long version) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(hub.url() + path))
                            .header("If-Match", "\"" + version + "\"")
                            .PUT(HttpRequest.BodyPublishers.ofString(body))
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void what_was_changed_is_compared_and_taken_back() {
        put("/api/config/services/back", "{\"a\":1,\"b\":1}");
        put("/api/config/channels/91", "{\"protocol\":\"virtual\",\"name\":\"one\"}");
        put("/api/config/system", "{\"timezone\":\"Europe/Vienna\"}");
        long then = version();
        put("/api/config/services/back", "{\"a\":2,\"b\":1}");
        put("/api/config/services/new", "{}");
        put("/api/config/channels/91", "{\"protocol\":\"virtual\",\"name\":\"two\"}");
        put("/api/config/system", "{\"timezone\":\"UTC\",\"site_name\":\"Mill\"}");
        hub.send("DELETE", "/api/config/services/back", "");

        JsonNode changes = data("/api/config/diff?from=" + then).get("changes");
        assertThat(changes.findValuesAsString("key"))
                .containsExactlyInAnyOrder(
                        "config:service:back",
                        "config:service:new",
                        "config:channel:91",
                        "config:system");
        TestHub.Reply back = hub.send("POST", "/api/config/rollback", "{\"version\":" + then + "}");
        assertThat(back.status()).as(back.body()).isEqualTo(200);
        assertThat(back.json().at("/data/refused").size()).as(back.body()).isZero();
        assertThat(data("/api/config/services/back").get("a").asInt()).isEqualTo(1);
        assertThat(code(hub.get("/api/config/services/new"))).isEqualTo("404 NOT_FOUND");
        assertThat(data("/api/channels/91").get("name").asString()).isEqualTo("one");
        assertThat(data("/api/config/system").get("timezone").asString())
                .isEqualTo("Europe/Vienna");
        assertThat(data("/api/config/system").has("site_name")).isFalse();
        assertThat(data("/api/config/diff?from=" + then).get("changes").size()).isZero();
        assertThat(hub.keyspace().check().run().drift()).isZero();
    }

    @Test
    void all_of_it_is_exported_and_put_in_again_or_not_at_all() {
        put("/api/config/services/exported", "{\"a\":1}");
        put("/api/config/channels/92", "{\"protocol\":\"virtual\"}");
        String all = data("/api/config/export").toString();
        hub.send("DELETE", "/api/config/services/exported", "");
        hub.send("DELETE", "/api/channels/92", "");
        TestHub.Reply in = hub.send("POST", "/api/config/import", all);
        assertThat(in.json().at("/data/applied").toString())
                .as(in.body())
                .contains("config:service:exported", "config:channel:92");
        assertThat(data("/api/channels/92").get("protocol").asString()).isEqualTo("virtual");
        long before = version();
        assertThat(hub.send("POST", "/api/config/import", all).status()).isEqualTo(200);
        assertThat(version()).isEqualTo(before);

        TestHub.Reply wrong =
                hub.send(
                        "POST",
                        "/api/config/import",
                        "{\"services\":{\"fine\":{}},\"channels\":{\"0\":{},\"3\":{}},\"system\":{\"timezone\":\"Mars\"}}");
        assertThat(code(wrong)).isEqualTo("400 VALIDATION_ERROR");
        assertThat(wrong.json().at("/error/details/refused").propertyNames())
                .containsExactlyInAnyOrder("channels 0", "channels 3", "config:system");
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void no_more_than_fifty_changes_are_kept() {
        for (int i = 0; i < 55; i++) {
            put("/api/config/services/often", "{\"i\":" + i + "}");
        }
        assertThat(data("/api/config/versions?size=100").get("total").asInt()).isEqualTo(50);
        assertThat(code(hub.get("/api/config/diff?from=" + (version() - 51))))
                .isEqualTo("404 NOT_FOUND");
        assertThat(hub.get("/api/config/diff?from=" + (version() - 50)).status()).isEqualTo(200);
    }

    @Test
    void bad_input_is_named_and_changes_nothing() {
        long before = version();
        Map<String, String> wrong =
                Map.of(
                        "PUT /api/config/system {\"retention_days\":0}",
                        "400 VALIDATION_ERROR",
                        "PUT /api/config/system {\"a b\":1}",
                        "400 VALIDATION_ERROR",
                        "PUT /api/config/system {\"timezone\":[]}",
                        "400 VALIDATION_ERROR",
                        "PUT /api/config/services/a:b {}",
                        "400 VALIDATION_ERROR",
                        "PUT /api/config/nothing/x {}",
                        "404 NOT_FOUND",
                        "POST /api/config/rollback {\"version\":-1}",
                        "404 NOT_FOUND",
                        "POST /api/config/rollback {}",
                        "400 VALIDATION_ERROR",
                        "POST /api/queues/a:b {}",
                        "400 INVALID_PARAMETER",
                        "POST /api/locks/x {\"ttl\":601}",
                        "400 VALIDATION_ERROR",
                        "PUT /api/temp/cache/x {\"value\":1,\"ttl\":0}",
                        "400 VALIDATION_ERROR");
        wrong.forEach(
                (line, expected) -> {
                    String[] parts = line.split(" ", 3);
                    assertThat(code(hub.send(parts[0], parts[1], parts[2])))
                            .as(line)
                            .isEqualTo(expected);
                });
        assertThat(code(hub.get("/api/config/diff?from=x"))).isEqualTo("400 INVALID_PARAMETER");
        assertThat(code(hub.get("/api/config/diff?from=99999"))).isEqualTo("404 NOT_FOUND");
        assertThat(code(hub.get("/api/queues/alarm?since_seq=x")))
                .isEqualTo("400 INVALID_PARAMETER");
        assertThat(version()).isEqualTo(before);
    }

    // ---------------------------------------------------------------- events

    @Test
    void events_are_numbered_without_gaps_capped_and_read_behind_a_number() {
        for (int i = 1; i <= 1003; i++) {
            TestHub.Reply reply = hub.send("POST", "/api/queues/steps", "{\"step\":" + i + "}");
            assertThat(reply.json().at("/data/seq").asInt()).as(reply.body()).isEqualTo(i);
        }
        JsonNode behind = data("/api/queues/steps?since_seq=2&limit=2");
        assertThat(behind.get("items").findValuesAsString("step")).containsExactly("4", "5");
        assertThat(behind.get("missed").asInt()).isEqualTo(1);
        assertThat(behind.get("next_seq").asInt()).isEqualTo(5);
        assertThat(behind.get("total").asInt()).isEqualTo(1000);
        assertThat(data("/api/queues/steps?limit=1").at("/items/0/step").asInt()).isEqualTo(1003);
        assertThat(data("/api/queues/steps/last").get("step").asInt()).isEqualTo(1003);
        assertThat(data("/api/queues").at("/queues/steps").asInt()).isEqualTo(1000);
        assertThat(data("/api/queues/config?limit=1").get("type").asString()).isEqualTo("config");
    }

    // ---------------------------------------------------------------- locks

    @Test
    void a_lock_has_one_owner_and_only_he_gives_it_back() {
        TestHub.Reply a = hub.send("POST", "/api/locks/job.x", "{\"owner\":\"a1\",\"ttl\":30}");
        String first = a.json().at("/data/token").asString();
        long fence = a.json().at("/data/fence").asLong();
        assertThat(first).startsWith("a1:");
        TestHub.Reply b = hub.send("POST", "/api/locks/job.x", "{\"owner\":\"b1\"}");
        assertThat(code(b)).isEqualTo("409 LOCK_NOT_OWNED");
        assertThat(code(hub.send("DELETE", "/api/locks/job.x", "{\"token\":\"b1:1\"}")))
                .isEqualTo("409 LOCK_NOT_OWNED");
        assertThat(data("/api/locks/job.x").get("owner").asString()).isEqualTo("a1");
        assertThat(put("/api/locks/job.x", "{\"token\":\"" + first + "\",\"ttl\":1}").status())
                .isEqualTo(200);
        // His time passes.
        TestHub.Reply later =
                hub.send("POST", "/api/locks/job.x?wait=10", "{\"owner\":\"b1\",\"ttl\":600}");
        assertThat(later.status()).as(later.body()).isEqualTo(200);
        assertThat(later.json().at("/data/fence").asLong()).isGreaterThan(fence);
        assertThat(code(hub.send("DELETE", "/api/locks/job.x", "{\"token\":\"" + first + "\"}")))
                .isEqualTo("409 LOCK_NOT_OWNED");
        assertThat(data("/api/locks/job.x").get("owner").asString()).isEqualTo("b1");
        String second = later.json().at("/data/token").asString();
        assertThat(hub.send("DELETE", "/api/locks/job.x?token=" + second, "").status())
                .isEqualTo(200);
        assertThat(code(hub.get("/api/locks/job.x"))).isEqualTo("404 NOT_FOUND");
    }

    @Test
    void of_many_who_want_a_lock_one_gets_it() throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 8; i++) {
            threads.add(
                    Thread.startVirtualThread(
                            () ->
                                    statuses.add(
                                            hub.send("POST", "/api/locks/contended", "{}")
                                                    .status())));
        }
        for (Thread each : threads) {
            each.join();
        }
        assertThat(statuses).filteredOn(each -> each == 200).hasSize(1);
        assertThat(statuses).filteredOn(each -> each == 409).hasSize(7);
    }

    // ---------------------------------------------------------------- temporary values

    @Test
    void a_temporary_value_has_its_time_from_the_beginning() {
        put("/api/temp/cache/a:b", "{\"value\":{\"x\":1},\"ttl\":60}");
        JsonNode cached = data("/api/temp/cache/a:b");
        assertThat(cached.at("/value/x").asInt()).isEqualTo(1);
        assertThat(cached.get("ttl").asDouble()).isBetween(1.0, 60.0);
        put("/api/temp/calculations/c1", "{\"status\":\"running\",\"progress\":0.5}");
        JsonNode calculation = data("/api/temp/calculations/c1");
        assertThat(calculation.at("/value/status").asString()).isEqualTo("running");
        assertThat(calculation.at("/value/created_at").asLong()).isPositive();
        assertThat(calculation.get("ttl").asDouble()).isBetween(1.0, 300.0);
        assertThat(hub.send("DELETE", "/api/temp/cache/a:b", "").status()).isEqualTo(200);
        assertThat(code(hub.get("/api/temp/cache/a:b"))).isEqualTo("404 NOT_FOUND");
    }
}
