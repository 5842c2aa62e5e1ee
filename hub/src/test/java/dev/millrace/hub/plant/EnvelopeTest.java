package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** How all answers are wrapped, in pages, bare for old clients, and under the old paths. */
class EnvelopeTest {
    private static final int RULES = 45;

    private static Plant plant;
    private static Client client;

    @BeforeAll
    static void start() {
        plant = Plant.empty();
        client = plant.client();
        for (int i = 0; i < RULES; i++) {
            client.rule("r%02d".formatted(i), 1, i + 1, ">", "");
        }
        client.value(1, 1, "90");
    }

    @AfterAll
    static void stop() {
        plant.close();
    }

    @Test
    void an_answer_says_that_it_succeeded_when_and_to_which_question() {
        Reply reply = client.send("GET", "/api/alarms/r00", "", "X-Request-ID", "ask-1");
        assertThat(reply.status()).isEqualTo(200);
        JsonNode json = reply.json();
        assertThat(json.path("success").asBoolean()).isTrue();
        assertThat(json.has("data")).isTrue();
        assertThat(json.has("error")).isFalse();
        assertThat(Instant.parse(json.path("timestamp").asString())).isNotNull();
        assertThat(json.path("request_id").asString()).isEqualTo("ask-1");
        assertThat(reply.header("x-request-id")).isEqualTo("ask-1");
    }

    @Test
    void a_refusal_is_wrapped_likewise() {
        Reply reply = client.send("GET", "/api/alarms/nobody", "", "X-Request-ID", "ask-2");
        assertThat(reply.status()).isEqualTo(404);
        JsonNode json = reply.json();
        assertThat(json.path("success").asBoolean(true)).isFalse();
        assertThat(json.has("data")).isFalse();
        assertThat(json.path("error").path("code").asString()).isEqualTo("ALARM_NOT_FOUND");
        assertThat(json.path("request_id").asString()).isEqualTo("ask-2");
    }

    @Test
    void lists_come_in_pages() {
        JsonNode first = client.get("/api/alarm-rules");
        assertThat(first.path("items").size()).isEqualTo(20);
        assertThat(first.path("total").asInt()).isEqualTo(RULES);
        assertThat(first.path("page").asInt()).isEqualTo(1);
        assertThat(first.path("size").asInt()).isEqualTo(20);
        assertThat(first.path("total_pages").asInt()).isEqualTo(3);
        assertThat(first.path("has_previous").asBoolean(true)).isFalse();
        assertThat(first.path("has_next").asBoolean()).isTrue();
        Set<String> seen = new HashSet<>();
        for (int page = 1; page <= 3; page++) {
            for (JsonNode rule : client.get("/api/alarm-rules?page=" + page).path("items")) {
                assertThat(seen.add(rule.path("id").asString())).isTrue();
            }
        }
        assertThat(seen).hasSize(RULES);
        JsonNode last = client.get("/api/alarm-rules?page=3");
        assertThat(last.path("items").size()).isEqualTo(5);
        assertThat(last.path("has_next").asBoolean(true)).isFalse();
        JsonNode beyond = client.get("/api/alarm-rules?page=9");
        assertThat(beyond.path("items").isArray()).isTrue();
        assertThat(beyond.path("items").size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"size=7", "page_size=7", "limit=7", "limit=7&offset=7"})
    void their_size_has_several_names(String question) {
        assertThat(client.get("/api/alarm-rules?" + question).path("items").size()).isEqualTo(7);
    }

    @Test
    void no_page_is_longer_than_a_hundred() {
        Reply reply = client.send("GET", "/api/alarm-rules?size=101", "");
        if (reply.status() == 200) {
            assertThat(reply.json().path("data").path("size").asInt()).isEqualTo(100);
        } else {
            assertThat(reply.status()).isEqualTo(400);
        }
    }

    @Test
    void an_unknown_question_is_ignored() {
        assertThat(client.send("GET", "/api/alarms?colour=red", "").status()).isEqualTo(200);
    }

    @Test
    void old_clients_get_bare_bodies_with_the_right_status() {
        Reply list = client.send("GET", "/api/alarm-rules?compat=1", "");
        assertThat(list.json().isArray()).isTrue();
        assertThat(client.send("GET", "/api/alarms?compat=1", "").json().get(0).toString())
                .contains("r00");
        assertThat(client.send("GET", "/api/alarms", "", "X-Compat", "reference").json().isArray())
                .isTrue();
        JsonNode statistics = client.send("GET", "/api/statistics?compat=1", "").json();
        assertThat(statistics.path("total_alarm_rules").asInt()).isEqualTo(RULES);
        Reply missing = client.send("GET", "/api/alarms/nobody?compat=1", "");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.json().has("error")).isTrue();
        Reply acknowledged = client.send("POST", "/api/alarms/r00/acknowledge?compat=1", "{}");
        assertThat(acknowledged.json().path("id").asString()).isEqualTo("r00");
        assertThat(acknowledged.json().has("status")).isTrue();
        assertThat(acknowledged.json().has("success")).isFalse();
        Reply rule =
                client.send(
                        "POST", "/api/alarm-rules?compat=1", Client.ruleText("r00", 1, 1, ">", ""));
        assertThat(rule.json().path("id").asString()).isEqualTo("r00");
        assertThat(rule.json().path("status").asString("")).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/alarms/r00",
                "/api/alarmsrv/alarms/r00",
                "/api/alarmsrv/api/alarms/r00",
                "/api/alarm-rules/r00",
                "/api/alarmsrv/alarm-rules/r00",
                "/api/alarmsrv/api/alarm-rules/r00",
                "/api/alarmsrv/api/alarm-events",
                "/api/alarmsrv/statistics",
                "/api/alarmsrv/api/statistics",
                "/api/channels",
                "/api/comsrv/channels",
                "/api/channels/1/T",
                "/api/comsrv/channels/1/T",
                "/api/status",
                "/api/comsrv/status"
            })
    void the_paths_of_the_old_proxy_lead_to_the_same(String path) {
        Reply reply = client.send("GET", path, "");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().path("success").asBoolean()).isTrue();
    }

    @Test
    void values_and_rules_may_be_written_under_the_old_paths() {
        assertThat(client.post("/api/comsrv/channels/7/T", "{\"1\":1}").path("written").asInt())
                .isEqualTo(1);
        assertThat(
                        client.post("/api/comsrv/telemetry/batch", "{\"7\":{\"S\":{\"1\":1}}}")
                                .isMissingNode())
                .isFalse();
        client.post("/api/alarmsrv/alarm-rules", Client.ruleText("old", 7, 1, ">", ""));
        client.data("DELETE", "/api/alarmsrv/api/alarm-rules/old", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"comsrv", "alarmsrv"})
    void each_service_says_how_it_is(String service) {
        Reply reply = client.send("GET", "/api/" + service + "/health", "");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).contains(service).contains("healthy");
    }
}
