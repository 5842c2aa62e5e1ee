package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Every call of the reference's table of alarms. */
@OnEachSite
class AlarmsApiTest {
    private final Site site;
    private TestHub hub;
    private Client client;

    AlarmsApiTest(Site site) {
        this.site = site;
    }

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
        client = new Client(hub.url());
    }

    @AfterEach
    void stop() {
        assertThat(hub.keyspace().check().run().drift()).isZero();
        client.close();
        hub.close();
    }

    private static List<String> ids(JsonNode list) {
        return Client.items(list).stream()
                .map(each -> each.path("rule_id").asString(each.path("id").asString("")))
                .sorted()
                .toList();
    }

    private List<String> alarms(String question) {
        return ids(client.get("/api/alarms" + question));
    }

    private String state(String id) {
        return client.alarm(id).path("state").asString("");
    }

    /** Three alarms: of level Critical, Warning and Warning; the last is over. */
    private void three() {
        client.rule("a", 1, 1, ">", ",\"alarm_level\":\"Critical\",\"category\":\"heat\"");
        client.rule("b", 1, 2, ">", "");
        client.rule("c", 2, 1, ">", "");
        client.post("/api/channels/1/T", "{\"1\":90,\"2\":91}");
        client.value(2, 1, "92");
        client.value(2, 1, "20");
    }

    @Test
    void alarms_are_listed_by_what_one_asks_for() {
        three();
        assertThat(alarms("")).containsExactly("a", "b");
        assertThat(alarms("?status=active")).containsExactly("a", "b");
        assertThat(alarms("?status=cleared")).containsExactly("c");
        assertThat(alarms("?level=Critical&status=active")).containsExactly("a");
        assertThat(alarms("?level=Critical")).containsExactly("a");
        assertThat(alarms("?state=UNACK")).containsExactly("a", "b");
        assertThat(alarms("?state=RTNUN")).containsExactly("c");
        assertThat(alarms("?source=comsrv:2:T&status=cleared")).containsExactly("c");
        assertThat(alarms("?source=comsrv:1:T")).containsExactly("a", "b");
        assertThat(alarms("?category=heat")).containsExactly("a");
        client.post("/api/alarms/a/acknowledge", "{\"user\":\"ann\"}");
        assertThat(alarms("?ids=b,missing,alarm:b,,a")).containsExactly("a", "b");
        assertThat(alarms("?ids=missing")).isEmpty();
        assertThat(alarms("?acknowledged=true&status=active")).containsExactly("a");
        assertThat(alarms("?acknowledged=false&status=active")).containsExactly("b");
        assertThat(alarms("?since=2020-01-01T00:00:00Z&status=active")).containsExactly("a", "b");
        assertThat(alarms("?until=2020-01-01T00:00:00Z&status=active")).isEmpty();
        assertThat(client.get("/api/alarms?limit=1").path("items").size()).isEqualTo(1);
    }

    @Test
    void an_instance_is_shown_with_what_was_copied_from_its_rule() {
        client.rule(
                "a",
                1,
                1,
                ">",
                ",\"alarm_level\":\"Major\",\"alarm_title\":\"{field} is {value}\"");
        client.value(1, 1, "90.5");
        JsonNode alarm = client.alarm("a");
        assertThat(alarm.path("rule_id").asString()).isEqualTo("a");
        assertThat(alarm.path("source_key").asString()).isEqualTo("comsrv:1:T");
        assertThat(alarm.path("field").asString()).isEqualTo("1");
        assertThat(alarm.path("operator").asString()).isEqualTo(">");
        assertThat(alarm.path("threshold").isNumber()).isTrue();
        assertThat(alarm.path("threshold").asDouble()).isEqualTo(85);
        assertThat(alarm.path("trigger_value").isNumber()).isTrue();
        assertThat(alarm.path("trigger_value").asDouble()).isEqualTo(90.5);
        assertThat(alarm.path("alarm_level").asString()).isEqualTo("Major");
        assertThat(alarm.path("title").asString()).isEqualTo("1 is 90.5");
        assertThat(alarm.path("state").asString()).isEqualTo("UNACK");
        assertThat(alarm.path("count").asInt()).isEqualTo(1);
    }

    @Test
    void an_alarm_may_be_raised_by_hand_with_a_rule_or_without_one() {
        client.rule("a", 1, 1, ">", "");
        Reply reply = client.send("POST", "/api/alarms", "{\"id\":\"a\"}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        assertThat(client.status("a")).isEqualTo("active");
        reply =
                client.send(
                        "POST",
                        "/api/alarms",
                        "{\"id\":\"leak\",\"alarm_level\":\"Critical\",\"alarm_title\":\"A"
                                + " leak\"}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        JsonNode leak = client.alarm("leak");
        assertThat(leak.path("status").asString()).isEqualTo("active");
        assertThat(leak.path("alarm_level").asString()).isEqualTo("Critical");
        assertThat(alarms("")).containsExactly("a", "leak");
        assertThat(client.send("DELETE", "/api/alarms/leak", "").status()).isEqualTo(200);
        assertThat(client.status("leak")).isEqualTo("cleared");
        reply = client.send("POST", "/api/alarms", "{\"alarm_title\":\"No id\"}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        assertThat(client.get("/api/alarms").path("total").asInt()).isEqualTo(2);
    }

    @Test
    void an_alarm_cleared_by_hand_stays_readable_and_comes_again_with_the_next_value() {
        client.rule("a", 1, 1, ">", "");
        client.value(1, 1, "90");
        client.data("DELETE", "/api/alarms/a", "");
        assertThat(client.status("a")).isEqualTo("cleared");
        assertThat(client.alarm("a").path("clear_reason").asString()).isEqualTo("manual");
        assertThat(alarms("")).isEmpty();
        client.value(1, 1, "90");
        assertThat(client.status("a")).isEqualTo("active");
        assertThat(client.alarm("a").path("count").asInt()).isEqualTo(2);
    }

    @Test
    void acknowledging_is_apart_from_the_end_of_the_condition() {
        client.rule("a", 1, 1, ">", "");
        client.value(1, 1, "90");
        assertThat(state("a")).isEqualTo("UNACK");
        client.post("/api/alarms/a/acknowledge", "{\"user\":\"ann\",\"note\":\"I go\"}");
        JsonNode alarm = client.alarm("a");
        assertThat(alarm.path("state").asString()).isEqualTo("ACKED");
        assertThat(alarm.path("acknowledged_by").asString()).isEqualTo("ann");
        assertThat(alarm.path("ack_note").asString()).isEqualTo("I go");
        assertThat(alarm.path("status").asString()).isEqualTo("active");
        client.post("/api/alarms/a/ack", "{\"user\":\"bob\"}");
        assertThat(client.alarm("a").path("acknowledged_by").asString()).isEqualTo("ann");
        assertThat(client.events("a")).filteredOn("acknowledged"::equals).hasSize(1);
        client.value(1, 1, "20");
        assertThat(state("a")).isEqualTo("NORM");

        client.value(1, 1, "90");
        assertThat(state("a")).isEqualTo("UNACK");
        assertThat(client.alarm("a").has("acknowledged_by")).isFalse();
        client.value(1, 1, "20");
        assertThat(state("a")).isEqualTo("RTNUN");
        client.post("/api/alarms/a/acknowledge", "{\"user\":\"ann\"}");
        assertThat(state("a")).isEqualTo("NORM");

        client.rule("b", 1, 2, ">", ",\"ack_required\":false");
        client.value(1, 2, "90");
        client.value(1, 2, "20");
        assertThat(state("b")).isEqualTo("NORM");
    }

    @Test
    void many_are_acknowledged_at_once_and_those_that_cannot_be_are_named() {
        three();
        JsonNode data =
                client.post("/api/alarms/acknowledge", "{\"ids\":[\"a\",\"nobody\",\"c\"]}");
        assertThat(Client.texts(data.path("acknowledged"))).containsExactlyInAnyOrder("a", "c");
        assertThat(data.path("failed").size()).isEqualTo(1);
        assertThat(data.path("failed").get(0).path("id").asString()).isEqualTo("nobody");
        assertThat(data.path("failed").get(0).path("reason").asString("")).isNotBlank();
        assertThat(state("a")).isEqualTo("ACKED");
        assertThat(state("b")).isEqualTo("UNACK");
        assertThat(state("c")).isEqualTo("NORM");
    }

    @Test
    void a_shelved_alarm_goes_on_and_is_not_shown_until_the_time_is_over() {
        client.rule("a", 1, 1, ">", "");
        client.value(1, 1, "90");
        client.post(
                "/api/alarms/a/shelve", "{\"duration\":3600,\"reason\":\"x\",\"user\":\"ann\"}");
        assertThat(state("a")).isEqualTo("SHELVED");
        client.value(1, 1, "20");
        assertThat(client.status("a")).isEqualTo("cleared");
        client.value(1, 1, "90");
        assertThat(client.status("a")).isEqualTo("active");
        assertThat(state("a")).isEqualTo("SHELVED");
        client.post("/api/alarms/a/unshelve", "");
        assertThat(state("a")).isEqualTo("UNACK");
        assertThat(client.events("a")).contains("shelved", "unshelved");
        client.post("/api/alarms/a/shelve", "{\"duration\":1}");
        await().until(() -> state("a").equals("UNACK"));
        assertThat(client.send("POST", "/api/alarms/a/shelve", "{\"duration\":86401}").status())
                .isEqualTo(400);
        assertThat(client.send("POST", "/api/alarms/a/shelve", "{\"duration\":\"x\"}").status())
                .isEqualTo(400);
    }

    @Test
    void a_rule_is_created_replaced_and_deleted() {
        Reply created =
                client.send("POST", "/api/alarm-rules", Client.ruleText("a", 1, 1, ">", ""));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(created.header("location")).endsWith("/api/alarm-rules/a");
        Reply replaced =
                client.send("POST", "/api/alarm-rules", Client.ruleText("a", 1, 1, "<", ""));
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(client.get("/api/alarm-rules/a").path("operator").asString()).isEqualTo("<");
        for (String[] only :
                List.of(new String[] {"?mode=create"}, new String[] {"", "If-None-Match", "*"})) {
            String[] headers = only.length == 1 ? new String[0] : new String[] {only[1], only[2]};
            Reply again =
                    client.send(
                            "POST",
                            "/api/alarm-rules" + only[0],
                            Client.ruleText("a", 1, 1, ">", ""),
                            headers);
            assertThat(again.status()).isEqualTo(409);
            assertThat(again.json().path("error").path("code").asString())
                    .isEqualTo("ALREADY_EXISTS");
        }
        assertThat(client.get("/api/alarm-rules/a").path("operator").asString()).isEqualTo("<");
        client.value(1, 1, "20");
        assertThat(client.status("a")).isEqualTo("active");
        client.data("DELETE", "/api/alarm-rules/a", "");
        assertThat(client.send("GET", "/api/alarm-rules/a", "").status()).isEqualTo(404);
        assertThat(client.send("GET", "/api/alarms/a", "").status()).isEqualTo(404);
        assertThat(alarms("")).isEmpty();
        assertThat(client.events("a").getFirst()).isEqualTo("rule_deleted");
        assertThat(client.get("/api/statistics").path("active_alarms").asInt(-1)).isZero();
    }

    @Test
    void a_rule_without_an_id_gets_one() {
        JsonNode data =
                client.post(
                        "/api/alarm-rules",
                        "{\"source_key\":\"comsrv:1:T\",\"field\":\"1\",\"threshold\":1}");
        String id = data.path("id").asString("");
        assertThat(id).startsWith("rule_");
        JsonNode rule = client.get("/api/alarm-rules/" + id);
        assertThat(rule.path("operator").asString()).isEqualTo(">");
        assertThat(rule.path("alarm_level").asString()).isEqualTo("Warning");
        assertThat(rule.path("enabled").asBoolean(false)).isTrue();
        client.value(1, 1, "2");
        assertThat(client.alarm(id).path("title").asString("")).isEqualTo("Alarm for comsrv:1:T.1");
    }

    @Test
    void rules_are_listed_by_what_one_asks_for() {
        three();
        client.post("/api/alarm-rules/b/disable", "");
        assertThat(ids(client.get("/api/alarm-rules"))).containsExactly("a", "b", "c");
        assertThat(ids(client.get("/api/alarm-rules?enabled=false"))).containsExactly("b");
        assertThat(ids(client.get("/api/alarm-rules?enabled=true"))).containsExactly("a", "c");
        assertThat(ids(client.get("/api/alarm-rules?source_key=comsrv:2:T"))).containsExactly("c");
        assertThat(ids(client.get("/api/alarm-rules?level=Critical"))).containsExactly("a");
        assertThat(ids(client.get("/api/alarm-rules?search=nothing-like-it"))).isEmpty();
    }

    @Test
    void a_rule_may_be_put_under_its_id_and_changed_in_part() {
        String text =
                "{\"source_key\":\"comsrv:1:T\",\"field\":\"1\",\"threshold\":85,\"note\":\"n\"}";
        assertThat(client.send("PUT", "/api/alarm-rules/p", text).status()).isIn(200, 201);
        String created = client.get("/api/alarm-rules/p").path("created_at").asString();
        client.data("PATCH", "/api/alarm-rules/p", "{\"threshold\":95.5}");
        JsonNode rule = client.get("/api/alarm-rules/p");
        assertThat(rule.path("threshold").asDouble()).isEqualTo(95.5);
        assertThat(rule.path("note").asString()).isEqualTo("n");
        assertThat(rule.path("field").asString()).isEqualTo("1");
        assertThat(rule.path("created_at").asString()).isEqualTo(created);
        client.value(1, 1, "90");
        assertThat(client.status("p")).isEmpty();
        client.data("PATCH", "/api/alarm-rules/p", "{\"threshold\":85}");
        await().until(() -> client.status("p").equals("active"));
        Reply other = client.send("PUT", "/api/alarm-rules/p", Client.ruleText("q", 1, 1, ">", ""));
        assertThat(other.status()).isEqualTo(400);
        assertThat(client.send("GET", "/api/alarm-rules/q", "").status()).isEqualTo(404);
    }

    @Test
    void a_disabled_rule_clears_its_alarm_and_stays_disabled_when_it_is_replaced() {
        client.rule("a", 1, 1, ">", "");
        client.value(1, 1, "90");
        client.post("/api/alarm-rules/a/disable", "");
        assertThat(client.status("a")).isEqualTo("cleared");
        assertThat(client.alarm("a").path("clear_reason").asString()).isEqualTo("rule_disabled");
        assertThat(client.events("a")).contains("cleared_by_disable");
        client.value(1, 1, "91");
        assertThat(client.status("a")).isEqualTo("cleared");
        client.data("PATCH", "/api/alarm-rules/a", "{\"threshold\":80}");
        assertThat(client.get("/api/alarm-rules/a").path("enabled").asBoolean(true)).isFalse();
        client.post("/api/alarm-rules/a/enable", "");
        await().until(() -> client.status("a").equals("active"));
        assertThat(client.events("a")).filteredOn("triggered"::equals).hasSize(2);
    }

    @Test
    void a_test_of_a_rule_says_what_would_happen_and_does_nothing() {
        client.rule("a", 1, 1, ">", "");
        List<String> before = client.events("a");
        JsonNode would = client.post("/api/alarm-rules/a/test", "{\"value\":90}");
        assertThat(would.toString()).contains("true");
        assertThat(client.post("/api/alarm-rules/a/test", "{\"value\":20}").toString())
                .isNotEqualTo(would.toString());
        assertThat(client.status("a")).isEmpty();
        assertThat(client.events("a")).isEqualTo(before);
        assertThat(client.send("POST", "/api/alarm-rules/a/test", "{\"value\":\"x\"}").status())
                .isEqualTo(400);
    }

    @Test
    void events_are_read_from_a_number_on() {
        three();
        List<JsonNode> all = Client.items(client.get("/api/alarm-events?limit=100"));
        assertThat(all).extracting(event -> event.path("type").asString()).contains("triggered");
        assertThat(Client.items(client.get("/api/alarm-events?type=cleared"))).hasSize(1);
        assertThat(Client.items(client.get("/api/alarm-events?rule_id=c&type=triggered")))
                .hasSize(1);
        if (!site.cluster()) {
            long middle = all.get(all.size() / 2).path("seq").asLong();
            assertThat(Client.items(client.get("/api/alarm-events?limit=100&since_seq=" + middle)))
                    .allMatch(event -> event.path("seq").asLong() > middle)
                    .isNotEmpty();
        }
    }

    @Test
    void the_statistics_count_everything() {
        three();
        client.post("/api/alarms/a/acknowledge", "{}");
        client.post("/api/alarms/b/shelve", "{\"duration\":60}");
        JsonNode statistics = client.get("/api/statistics");
        assertThat(statistics.path("total_alarm_rules").asInt()).isEqualTo(3);
        assertThat(statistics.path("active_alarms").asInt()).isEqualTo(2);
        assertThat(statistics.path("recent_events").asInt()).isGreaterThanOrEqualTo(6);
        JsonNode operators = statistics.path("rules_by_operator");
        assertThat(operators.path(">").asInt()).isEqualTo(3);
        assertThat(operators.path("<").asInt(-1)).isZero();
        assertThat(operators.path(">=").asInt(-1)).isZero();
        assertThat(operators.path("<=").asInt(-1)).isZero();
        assertThat(operators.path("==").asInt(-1)).isZero();
        assertThat(operators.path("!=").asInt(-1)).isZero();
        assertThat(statistics.path("by_level").path("Critical").asInt()).isEqualTo(1);
        assertThat(statistics.path("by_state").path("ACKED").asInt()).isEqualTo(1);
        assertThat(statistics.path("by_state").path("SHELVED").asInt()).isEqualTo(1);
        assertThat(statistics.path("shelved").asInt()).isEqualTo(1);
        assertThat(statistics.has("unacknowledged")).isTrue();
        assertThat(statistics.path("invalid_rules").asInt(-1)).isZero();
        assertThat(statistics.path("triggers_last_hour").asInt()).isEqualTo(3);
        assertThat(statistics.path("top_rules").isArray()).isTrue();
        assertThat(statistics.path("chattering").size()).isZero();
        for (int i = 0; i < 4; i++) {
            client.value(2, 1, "90");
            client.value(2, 1, "20");
        }
        statistics = client.get("/api/statistics");
        assertThat(statistics.path("top_rules").get(0).toString()).contains("\"c\"");
        assertThat(statistics.path("triggers_last_hour").asInt()).isEqualTo(7);
    }

    @Test
    void a_rule_does_not_trigger_while_the_one_that_suppresses_it_is_active() {
        client.rule("main", 1, 1, ">", "");
        client.rule("late", 1, 2, ">", ",\"suppressed_by\":\"main\"");
        client.value(1, 1, "90");
        client.value(1, 2, "90");
        assertThat(alarms("")).containsExactly("main");
        client.value(1, 1, "20");
        client.value(1, 2, "91");
        assertThat(alarms("")).containsExactly("late");
        client.value(1, 1, "90");
        assertThat(alarms("?status=active")).containsExactly("late", "main");
    }
}
