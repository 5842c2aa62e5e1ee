package dev.millrace.hub.alarms;

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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What clients of the alarms see over HTTP. */
@OnEachSite
class AlarmsTest {
    private static final String RULES = "/api/alarm-rules";

    @Parameter Site site;

    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(site.url());
    }

    @AfterEach
    void nothing_has_drifted() {
        try (TestHub closing = hub) {
            assertThat(closing.keyspace().check().run().findings()).isEmpty();
        }
    }

    private TestHub.Reply rule(String id, String more) {
        return hub.send(
                "PUT",
                RULES + "/" + id,
                "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":85%s}"
                        .formatted(more.isEmpty() ? "" : "," + more));
    }

    private JsonNode value(String value) {
        TestHub.Reply reply = hub.send("POST", "/api/channels/1/T", "{\"101\":" + value + "}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().path("data").path("alarms");
    }

    private JsonNode alarm(String id) {
        return hub.get("/api/alarms/" + id).json().path("data");
    }

    private List<String> events(String rule) {
        List<String> types = new ArrayList<>();
        hub.get("/api/alarm-events?since_seq=0&rule_id=" + rule)
                .json()
                .path("data")
                .path("items")
                .forEach(each -> types.add(each.path("type").asString()));
        return types;
    }

    @Test
    void the_condition_is_strict_and_the_example_runs_as_it_is_written() {
        assertThat(rule("hot", "").status()).isEqualTo(201);
        assertThat(value("84.9").path("triggered").isEmpty()).isTrue();
        assertThat(value("85").path("triggered").isEmpty()).isTrue();
        assertThat(hub.get("/api/alarms/hot").status()).isEqualTo(404);
        assertThat(value("86.2").path("triggered").toString()).isEqualTo("[\"hot\"]");
        assertThat(alarm("hot").path("trigger_value").asDouble()).isEqualTo(86.2);
        assertThat(alarm("hot").path("state").asString()).isEqualTo("UNACK");
        assertThat(value("87").path("triggered").isEmpty()).isTrue();
        assertThat(alarm("hot").path("current_value").asDouble()).isEqualTo(87);
        assertThat(value("85").path("cleared").toString()).isEqualTo("[\"hot\"]");
        assertThat(alarm("hot").path("clear_value").asDouble()).isEqualTo(85);
        assertThat(alarm("hot").path("current_value").asDouble()).isEqualTo(85);
        assertThat(alarm("hot").path("state").asString()).isEqualTo("RTNUN");
        assertThat(events("hot")).containsExactly("rule_created", "triggered", "cleared");
        assertThat(hub.get("/api/alarms").json().path("data").path("total").asInt()).isZero();
    }

    @Test
    void a_dead_band_keeps_an_alarm_until_the_value_has_passed_it() {
        rule("hot", "\"deadband\":2");
        assertThat(value("86").path("triggered").size()).isEqualTo(1);
        assertThat(value("84").path("cleared").isEmpty()).isTrue();
        assertThat(value("83.5").path("cleared").isEmpty()).isTrue();
        assertThat(value("83").path("cleared").size()).isEqualTo(1);
    }

    @Test
    void a_delay_ends_by_itself() {
        rule("hot", "\"on_delay\":0.3");
        assertThat(value("86").path("triggered").isEmpty()).isTrue();
        await().until(() -> alarm("hot").path("status").asString("").equals("active"));
        assertThat(alarm("hot").path("trigger_value").asDouble()).isEqualTo(86);
        assertThat(events("hot")).containsExactly("rule_created", "triggered");
    }

    @Test
    void a_rule_that_moves_leaves_nothing_behind() {
        rule("hot", "");
        String created = hub.get(RULES + "/hot").json().path("data").path("created_at").asString();
        value("90");
        TestHub.Reply moved =
                hub.send(
                        "PUT",
                        RULES + "/hot",
                        "{\"source_key\":\"comsrv:2:T\",\"field\":\"102\",\"threshold\":85}");
        assertThat(moved.status()).as(moved.body()).isEqualTo(200);
        assertThat(alarm("hot").path("clear_reason").asString()).isEqualTo("source_removed");
        assertThat(hub.get(RULES + "/hot").json().path("data").path("created_at").asString())
                .isEqualTo(created);
        assertThat(value("95").path("triggered").isEmpty()).isTrue();
        TestHub.Reply there = hub.send("POST", "/api/channels/2/T", "{\"102\":99}");
        assertThat(there.json().path("data").path("alarms").path("triggered").size()).isOne();
    }

    @Test
    void people_acknowledge_shelve_and_clear() {
        rule("hot", "");
        assertThat(hub.send("POST", "/api/alarms/hot/acknowledge", "").status()).isEqualTo(404);
        value("90");
        TestHub.Reply seen =
                hub.send(
                        "POST",
                        "/api/alarmsrv/alarms/hot/ack",
                        "{\"user\":\"ada\",\"note\":\"on it\"}");
        assertThat(seen.status()).as(seen.body()).isEqualTo(200);
        assertThat(hub.send("POST", "/api/alarms/hot/acknowledge", "").status()).isEqualTo(200);
        assertThat(alarm("hot").path("state").asString()).isEqualTo("ACKED");
        assertThat(alarm("hot").path("acknowledged_by").asString()).isEqualTo("ada");
        hub.send("POST", "/api/alarms/hot/shelve", "{\"duration\":0.2}");
        await().until(() -> events("hot").contains("unshelved"));
        assertThat(hub.send("DELETE", "/api/alarmsrv/api/alarms/hot", "").status()).isEqualTo(200);
        assertThat(alarm("hot").path("clear_reason").asString()).isEqualTo("manual");
        assertThat(alarm("hot").path("state").asString()).isEqualTo("NORM");
        assertThat(value("90").path("triggered").size()).isOne();
        TestHub.Reply many =
                hub.send("POST", "/api/alarms/acknowledge", "{\"ids\":[\"hot\",\"cold\"]}");
        assertThat(many.json().path("data").path("acknowledged").toString()).isEqualTo("[\"hot\"]");
        JsonNode failed = many.json().path("data").path("failed").path(0);
        assertThat(failed.path("id").asString()).isEqualTo("cold");
        assertThat(failed.path("reason").asString()).isEqualTo("ALARM_NOT_FOUND");
    }

    @Test
    void what_no_rule_can_be_is_refused_and_nothing_is_stored() {
        assertThat(rule("hot", "\"operator\":\"~\"").status()).isEqualTo(400);
        assertThat(rule("hot", "\"on_delay\":\"abc\"").status()).isEqualTo(400);
        for (String id : List.of("events", "index", "rule")) {
            TestHub.Reply reply = rule(id, "");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.json().path("error").path("code").asString()).isEqualTo("RESERVED_ID");
        }
        TestHub.Reply abc =
                hub.send(
                        "POST",
                        RULES,
                        "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":\"abc\"}");
        assertThat(abc.json().path("error").path("code").asString()).isEqualTo("VALIDATION_ERROR");
        assertThat(hub.get(RULES).json().path("data").path("total").asInt()).isZero();
    }

    @Test
    void a_rule_is_disabled_enabled_changed_tested_and_deleted() {
        rule("hot", "\"alarm_title\":\"{value} at {source}.{field}\"");
        assertThat(
                        hub.send("POST", RULES + "/hot/test", "{\"value\":90}")
                                .json()
                                .path("data")
                                .path("result")
                                .asString())
                .isEqualTo("trigger");
        assertThat(hub.get("/api/alarms/hot").status()).isEqualTo(404);
        value("90");
        assertThat(alarm("hot").path("title").asString()).isEqualTo("90 at comsrv:1:T.101");
        assertThat(hub.send("POST", RULES + "/hot/disable", "").status()).isEqualTo(200);
        assertThat(alarm("hot").path("clear_reason").asString()).isEqualTo("rule_disabled");
        assertThat(alarm("hot").path("state").asString()).isEqualTo("OOSRV");
        assertThat(value("91").path("triggered").isEmpty()).isTrue();
        assertThat(hub.send("POST", RULES + "/hot/enable", "").status()).isEqualTo(200);
        await().until(() -> alarm("hot").path("status").asString().equals("active"));
        assertThat(alarm("hot").path("trigger_value").asInt()).isEqualTo(91);
        TestHub.Reply patched = hub.send("PATCH", RULES + "/hot", "{\"threshold\":95}");
        assertThat(patched.status()).as(patched.body()).isEqualTo(200);
        assertThat(alarm("hot").path("status").asString()).isEqualTo("cleared");
        assertThat(hub.send("DELETE", RULES + "/hot", "").status()).isEqualTo(200);
        assertThat(hub.get(RULES + "/hot").status()).isEqualTo(404);
        assertThat(hub.get("/api/alarms/hot").status()).isEqualTo(404);
        assertThat(hub.send("DELETE", RULES + "/hot", "").status()).isEqualTo(404);
    }

    @Test
    void limits_of_one_point_become_rules_of_their_own() {
        TestHub.Reply set =
                hub.send(
                        "POST",
                        RULES,
                        "{\"id\":\"t\",\"source_key\":\"comsrv:1:T\",\"field\":\"101\","
                                + "\"high\":80,\"high_high\":90,\"low\":10}");
        assertThat(set.status()).as(set.body()).isEqualTo(201);
        assertThat(value("95").path("triggered").toString()).isEqualTo("[\"t.h\",\"t.hh\"]");
        assertThat(alarm("t.hh").path("alarm_level").asString()).isEqualTo("Critical");
        TestHub.Reply yaml =
                hub.send("POST", RULES, "{\"id\":\"c\",\"condition\":\"comsrv:1:T:101 < 5\"}");
        assertThat(yaml.status()).as(yaml.body()).isEqualTo(201);
        assertThat(value("4").path("triggered").toString()).isEqualTo("[\"c\",\"t.l\"]");
        JsonNode figures = hub.get("/api/statistics").json().path("data");
        assertThat(figures.path("total_alarm_rules").asInt()).isEqualTo(4);
        assertThat(figures.path("active_alarms").asInt()).isEqualTo(2);
        assertThat(figures.path("triggers_last_hour").asInt()).isEqualTo(4);
    }

    private List<JsonNode> after(String since) {
        List<JsonNode> events = new ArrayList<>();
        hub.get("/api/alarm-events?limit=100&since_seq=" + since)
                .json()
                .at("/data/items")
                .forEach(events::add);
        return events;
    }

    /** The highest number of each list, as the parameter wants it. */
    private String seen(List<JsonNode> events) {
        Map<String, Long> numbers = new TreeMap<>();
        events.forEach(
                each ->
                        numbers.merge(
                                each.path("log").asString(""),
                                each.path("seq").asLong(),
                                Math::max));
        return site.cluster()
                ? numbers.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue())
                        .collect(Collectors.joining(","))
                : String.valueOf(numbers.get(""));
    }

    @Test
    void whoever_reads_behind_what_was_seen_last_gets_every_event_once() {
        int channels = 5;
        for (int channel = 1; channel <= channels; channel++) {
            hub.send(
                    "PUT",
                    RULES + "/r" + channel,
                    "{\"source_key\":\"comsrv:%d:T\",\"field\":\"1\",\"threshold\":85}"
                            .formatted(channel));
        }
        List<JsonNode> read = new ArrayList<>(after("0"));
        assertThat(read).hasSize(channels);
        for (int turn = 0; turn < 4; turn++) {
            String value = turn % 2 == 0 ? "90" : "20";
            for (int channel = 1; channel <= channels - turn; channel++) {
                hub.send("POST", "/api/channels/" + channel + "/T", "{\"1\":" + value + "}");
            }
            List<JsonNode> news = after(seen(read));
            assertThat(news)
                    .hasSize(channels - turn)
                    .allMatch(
                            each ->
                                    each.path("type")
                                            .asString()
                                            .equals(value.equals("90") ? "triggered" : "cleared"));
            read.addAll(news);
        }
        assertThat(after(seen(read))).isEmpty();
        assertThat(read).doesNotHaveDuplicates();
        assertThat(after("0")).containsExactlyInAnyOrderElementsOf(read);
        for (String odd : List.of("@1", "@1:x", "1:2", site.cluster() ? "7" : "@1:2")) {
            assertThat(hub.get("/api/alarm-events?since_seq=" + odd).status())
                    .as(odd)
                    .isEqualTo(400);
        }
    }
}
