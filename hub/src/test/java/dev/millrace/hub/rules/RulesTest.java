package dev.millrace.hub.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.Quiet;
import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Business rules as a client sees them, on a single server and in a cluster. */
@OnEachSite
class RulesTest {
    private final Site site;
    private TestHub hub;

    RulesTest(Site site) {
        this.site = site;
    }

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
    }

    @AfterEach
    void stop() {
        assertThat(hub.keyspace().check().run().drift()).isZero();
        hub.close();
    }

    private TestHub.Reply send(String method, String path, String body) {
        return hub.send(method, path, body.replace('\'', '"'));
    }

    private JsonNode ok(String method, String path, String body) {
        TestHub.Reply reply = send(method, path, body);
        assertThat(reply.status()).as(path + " " + body + ": " + reply.body()).isBetween(200, 202);
        return reply.json().path("data");
    }

    private void write(String value) {
        ok("POST", "/api/channels/1/T", "{'101':%s}".formatted(value));
    }

    private JsonNode records(String id) {
        return ok("GET", "/api/rules/" + id + "/history", "");
    }

    private void awaitRecords(String id, int count) {
        await().until(() -> records(id).size() >= count);
        assertThat(records(id).size()).isEqualTo(count);
    }

    private static String keeps(String id, String more) {
        return "{'id':'%s','condition':{'source':'comsrv:1:T','field':'101','operator':'>','threshold':80},"
                        .formatted(id)
                + "'actions':[{'type':'set_value','target':'rulesrv:value:%s','value':1}]%s%s}"
                        .formatted(
                                id,
                                more.contains("'trigger'") ? "" : ",'trigger':'data_change'",
                                more);
    }

    @Test
    void the_worked_example() {
        ok(
                "POST",
                "/api/channels",
                "{'id':1,'protocol':'virtual','enabled':true,'points':{'T':[{'point_id':101}],'C':[{'point_id':20}]}}");
        write("70");
        ok(
                "POST",
                "/api/rules",
                "{'id':'r','condition':{'type':'threshold','source':'comsrv:1:T','field':'101','operator':'>','threshold':80},"
                    + "'actions':[{'type':'set_value','target':'comsrv:1:C:20','value':1,'queue':true}],'cooldown':60}");
        assertThat(site.command("rule:index", "SISMEMBER", key("rule:index"), "r")).isEqualTo(1L);
        write("81");
        awaitRecords("r", 1);
        JsonNode record = records("r").get(0);
        assertThat(record.path("success").asBoolean()).as(record.toString()).isTrue();
        assertThat(record.path("triggered").asBoolean()).isTrue();
        assertThat(record.at("/actions_executed/0/target").asString()).isEqualTo("comsrv:1:C:20");
        assertThat(record.at("/actions_executed/0/status").asString()).isEqualTo("submitted");
        assertThat(record.at("/trace/0/seen").asInt()).isEqualTo(81);
        String command = record.at("/actions_executed/0/cmd_id").asString();
        assertThat(command).isEqualTo(record.path("execution_id").asString() + "-1");
        JsonNode ordered = ok("GET", "/api/commands/" + command, "");
        assertThat(ordered.path("source").asString()).isEqualTo("rule:r");
        write("82");
        await().until(
                        () ->
                                ok("GET", "/api/rulesrv/statistics", "")
                                                .path("skipped_cooldown")
                                                .asInt()
                                        == 1);
        JsonNode all = ok("GET", "/api/statistics", "");
        assertThat(all.path("total_triggered").asInt()).isEqualTo(1);
        assertThat(all.path("total_rules").asInt()).isEqualTo(1);
        assertThat(records("r").size()).isEqualTo(1);
        assertThat(ok("POST", "/api/rules/r/disable", "").path("status").asString())
                .isEqualTo("disabled");
        write("83");
        // A rule that runs afterwards proves that this one did not.
        ok("POST", "/api/rules", keeps("other", ""));
        write("84");
        awaitRecords("other", 1);
        assertThat(records("r").size()).isEqualTo(1);
    }

    /** As it is called where it lies. */
    private String key(String plain) {
        return site.allKeys().stream()
                .filter(each -> each.endsWith(plain))
                .findFirst()
                .orElse(plain);
    }

    private String redis(String key, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add(1, key(key));
        return String.valueOf(site.command(key(key), all.toArray(new String[0])));
    }

    @Test
    void a_rule_is_kept_whole_and_both_say_whether_it_is_enabled() {
        JsonNode made = ok("POST", "/api/rulesrv/api/rules", keeps("r", ",'x_of_mine':{'a':[1]}"));
        assertThat(made.path("status").asString()).isEqualTo("enabled");
        assertThat(redis("rule:status", "HGET", "r")).isEqualTo("enabled");
        assertThat(send("POST", "/api/rules", keeps("r", "")).status()).isEqualTo(409);
        ok("POST", "/api/rulesrv/rules/r/disable", "");
        assertThat(redis("rule:status", "HGET", "r")).isEqualTo("disabled");
        assertThat(redis("rule:r", "GET"))
                .contains("\"enabled\":false", "\"x_of_mine\":{\"a\":[1]}");
        JsonNode put = ok("PUT", "/api/rules/r", keeps("r", ",'enabled':true,'name':'other'"));
        assertThat(put.path("enabled").asBoolean()).isFalse();
        assertThat(put.path("created_at").asString()).isEqualTo(made.path("created_at").asString());
        assertThat(redis("rule:r", "GET")).contains("\"enabled\":false", "other");
        assertThat(ok("GET", "/api/rules?enabled=false", "").path("total").asInt()).isEqualTo(1);
        assertThat(ok("GET", "/api/rules?search=OTHER", "").path("total").asInt()).isEqualTo(1);
        assertThat(ok("GET", "/api/rules?enabled=true", "").path("total").asInt()).isZero();
        ok("POST", "/api/rules/r/enable", "");
        write("90");
        awaitRecords("r", 1);
        ok("DELETE", "/api/rules/r", "");
        assertThat(send("GET", "/api/rules/r", "").status()).isEqualTo(404);
        assertThat(site.allKeys())
                .noneMatch(
                        each ->
                                each.endsWith("rule:execution:r")
                                        || each.endsWith("rule:r")
                                        || each.endsWith("memory:r"));
        assertThat(
                        site.dump().entrySet().stream()
                                .filter(each -> each.getKey().endsWith("rule:statistics"))
                                .map(Map.Entry::getValue)
                                .toList()
                                .toString())
                .doesNotContain(":r=");
        for (String row :
                List.of(
                        "GET|/api/rules/none||404|RULE_NOT_FOUND",
                        "PUT|/api/rules/none|" + keeps("none", "") + "|404|RULE_NOT_FOUND",
                        "DELETE|/api/rules/none||404|RULE_NOT_FOUND",
                        "POST|/api/rules/none/enable||404|RULE_NOT_FOUND",
                        "POST|/api/rules/none/execute|{}|404|RULE_NOT_FOUND",
                        "GET|/api/rules/none/history||404|RULE_NOT_FOUND",
                        "POST|/api/rules|" + keeps("index", "") + "|400|RESERVED_ID",
                        "POST|/api/rules|" + keeps("a:b", "") + "|400|VALIDATION_ERROR",
                        "POST|/api/rules|{}|400|INVALID_CONDITION",
                        "POST|/api/rules|{'condition':'true'}|400|INVALID_ACTION",
                        "POST|/api/rules|[]|400|VALIDATION_ERROR",
                        "POST|/api/rules|{|400|INVALID_JSON",
                        "POST|/api/rules/test|{}|400|VALIDATION_ERROR",
                        "GET|/api/executions?limit=0||400|INVALID_PARAMETER",
                        "GET|/api/executions?since=x||400|INVALID_PARAMETER")) {
            String[] parts = row.split("\\|", -1);
            TestHub.Reply reply = send(parts[0], parts[1], parts[2]);
            assertThat(reply.status()).as(row + reply.body()).isEqualTo(Integer.parseInt(parts[3]));
            assertThat(reply.json().at("/error/code").asString()).as(row).isEqualTo(parts[4]);
        }
    }

    @Test
    void what_was_written_before_a_rule_was_made_does_not_wake_it() {
        write("90");
        write("91");
        write("92");
        ok("POST", "/api/rules", keeps("r", ",'trigger':'data_change'"));
        write("93");
        await().until(() -> !records("r").isEmpty());
        assertThat(records("r").size()).isEqualTo(1);
        assertThat(records("r").at("/0/trace/0/seen").asInt()).isEqualTo(93);
    }

    @Test
    void a_rule_that_is_tested_changes_nothing() {
        hub.close();
        hub = TestHub.start(site.url(), Quiet.settings());
        write("90");
        ok("POST", "/api/rules", keeps("r", ",'trigger':'manual'"));
        Map<String, Object> before = Quiet.of(site.dump());
        JsonNode record =
                ok("POST", "/api/rules/test", "{'rule':" + keeps("r", ",'cooldown':5") + "}");
        assertThat(record.path("conditions_met").asBoolean()).isTrue();
        assertThat(record.at("/actions_executed/0/status").asString()).isEqualTo("would");
        JsonNode given =
                ok(
                        "POST",
                        "/api/rules/test",
                        "{'rule':{'condition':'temperature >"
                            + " 30','actions':[{'type':'log','message':'t={temperature}'}]},'context':{'temperature':20}}");
        assertThat(given.path("conditions_met").asBoolean()).isFalse();
        assertThat(Quiet.of(site.dump())).isEqualTo(before);
    }

    @Test
    void a_rule_that_is_executed_by_hand_is_recorded_whatever_comes_of_it() {
        ok(
                "POST",
                "/api/rules",
                "{'id':'m','trigger':{'type':'manual'},'cooldown':600,'condition':'x >"
                    + " 1','actions':[{'type':'set_value','target':'rulesrv:value:m','value':'x *"
                    + " 2'},{'type':'event','event_type':'mine','data':{'a':1}}]}");
        JsonNode no = ok("POST", "/api/rules/m/execute", "{'context':{'x':1}}");
        assertThat(no.path("triggered").asBoolean()).isFalse();
        JsonNode yes = ok("POST", "/api/rules/m/execute", "{'context':{'x':21}}");
        assertThat(yes.path("triggered").asBoolean()).isTrue();
        assertThat(redis("rulesrv:value:m", "GET")).isEqualTo("42");
        assertThat(redis("event:last:mine", "GET")).contains("\"a\":1", "rule:m");
        assertThat(send("POST", "/api/rules/m/execute", "{'context':{'x':21}}").status())
                .isEqualTo(409);
        ok("POST", "/api/rules/m/execute?force=true", "{'context':{'x':21}}");
        assertThat(records("m").size()).isEqualTo(3);
        assertThat(ok("GET", "/api/executions?rule_id=m&limit=2", "").size()).isEqualTo(2);
        assertThat(ok("GET", "/api/executions?success=false", "").size()).isZero();
        assertThat(Integer.parseInt(redis("rule:execution:m", "TTL"))).isBetween(604_000, 604_800);
    }

    @Test
    void an_edge_acts_once_and_a_lasting_condition_when_it_has_lasted() {
        write("70");
        ok("POST", "/api/rules", keeps("edge", ",'trigger_mode':'edge','trigger':'data_update'"));
        ok(
                "POST",
                "/api/rules",
                "{'id':'lasts','condition':{'source':'comsrv:1:T:101','operator':'>','value':80,'duration':1},'trigger_mode':'edge','actions':[{'type':'log'}]}");
        write("81");
        write("82");
        awaitRecords("edge", 1);
        awaitRecords("lasts", 1);
        assertThat(records("lasts").get(0).path("trigger").asString()).isEqualTo("re_evaluation");
        write("70");
        write("83");
        awaitRecords("edge", 2);
    }

    @Test
    void rules_that_write_what_wakes_them_are_cut() {
        write("1");
        ok(
                "POST",
                "/api/rules",
                "{'id':'a','trigger':'data_change','condition':{'source':'comsrv:1:T:101','operator':'>','value':0},'actions':[{'type':'set_value','target':'comsrv:1:T:102','value':'v"
                    + " + 1'}],'inputs':{'v':'comsrv:1:T:101'}}");
        ok(
                "POST",
                "/api/rules",
                "{'id':'b','trigger':{'type':'data_change','sources':['comsrv:1:T:102']},'condition':{'source':'comsrv:1:T:102','operator':'>','value':0},'actions':[{'type':'set_value','target':'comsrv:1:T:101','value':'v"
                    + " + 1'}],'inputs':{'v':'comsrv:1:T:102'}}");
        write("2");
        // Ten runs, each but the first led to by the one before; the eleventh is cut.
        await().untilAsserted(
                        () -> {
                            assertThat(runs("null")).as(told()).isEqualTo(10);
                            assertThat(runs("RULE_LOOP")).as(told()).isEqualTo(1);
                        });
        // What is written afterwards is looked at afterwards: so the circle has come to its end.
        ok("POST", "/api/rules", keeps("later", "").replace("'101'", "'103'"));
        ok("POST", "/api/channels/1/T", "{'103':90}");
        awaitRecords("later", 1);
        assertThat(runs("null")).isEqualTo(10);
        assertThat(runs("RULE_LOOP")).isEqualTo(1);
    }

    private String told() {
        return Stream.of("a", "b")
                .flatMap(id -> records(id).valueStream())
                .map(
                        each ->
                                "%s %s %s %s %s"
                                        .formatted(
                                                each.path("timestamp").asString(),
                                                each.path("rule_id").asString(),
                                                each.path("cause").asString(),
                                                each.at("/trace/0/seen"),
                                                each.path("error")))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    /** How many of the two that wake each other ended so. */
    private long runs(String error) {
        return Stream.of("a", "b")
                .flatMap(id -> records(id).valueStream())
                .filter(each -> each.path("error").asString("null").equals(error))
                .count();
    }

    @Test
    void an_alarm_makes_a_rule_act_and_a_rule_raises_an_alarm() {
        write("1");
        ok(
                "POST",
                "/api/alarm-rules",
                "{'id':'hot','source_key':'comsrv:1:T','field':'101','operator':'>','threshold':85}");
        ok(
                "POST",
                "/api/rules",
                "{'id':'onalarm','trigger':{'type':'alarm','rule_ids':['hot']},'condition':'true','actions':[{'type':'alarm','level':'Major','title':'because"
                    + " of hot'},{'type':'notify','level':'info','message':'hot'}]}");
        write("90");
        awaitRecords("onalarm", 1);
        assertThat(records("onalarm").get(0).path("success").asBoolean())
                .as(records("onalarm").toString())
                .isTrue();
        assertThat(ok("GET", "/api/alarms/rule.onalarm", "").path("status").asString())
                .isEqualTo("active");
        assertThat(redis("event:last:notification", "GET")).contains("hot");
    }

    @Test
    void a_measurement_of_a_model_wakes_a_rule_that_orders_an_action() {
        ok(
                "POST",
                "/api/channels",
                "{'id':1,'protocol':'virtual','enabled':true,'points':{'T':[{'point_id':101}],'C':[{'point_id':20}]}}");
        ok(
                "PUT",
                "/api/models/tr_1",
                "{'mappings':{'measurement':{'temperature':{'channel':1,'point_id':101}},'action':{'fan':{'channel':1,'point_id':20}}}}");
        write("70");
        await().until(
                        () ->
                                ok("GET", "/api/models/tr_1/data", "")
                                                .at("/measurement/temperature")
                                                .asInt()
                                        == 70);
        ok(
                "POST",
                "/api/rules",
                "{'id':'m','trigger':'data_change','condition':{'source':'model:tr_1:measurement','field':'temperature','operator':'>','threshold':80},"
                    + "'actions':[{'type':'model_action','model_id':'tr_1','action':'fan','value':1},{'type':'set_value','target':'tr_1.fan','value':0},"
                    + "{'type':'set_value','target':'tr_1.none','value':0}]}");
        write("85");
        awaitRecords("m", 1);
        JsonNode record = records("m").get(0);
        assertThat(record.path("trigger").asString()).isEqualTo("data_change");
        assertThat(record.at("/trace/0/seen").asInt()).isEqualTo(85);
        for (int i = 0; i < 2; i++) {
            JsonNode action = record.path("actions_executed").get(i);
            assertThat(action.path("status").asString())
                    .as(record.toString())
                    .isEqualTo("submitted");
            JsonNode ordered = ok("GET", "/api/commands/" + action.path("cmd_id").asString(), "");
            assertThat(ordered.path("source").asString()).isEqualTo("model:tr_1");
            assertThat(ordered.path("value").asInt()).isEqualTo(1 - i);
        }
        assertThat(record.at("/actions_executed/2/error").asString())
                .startsWith("ACTION_NOT_FOUND");
        write("70");
        write("90");
        awaitRecords("m", 2);
    }

    @Test
    void a_shadow_says_what_it_would_do() {
        write("1");
        ok("POST", "/api/rules", keeps("s", ",'shadow':true"));
        write("90");
        awaitRecords("s", 1);
        assertThat(records("s").get(0).at("/actions_executed/0/status").asString())
                .isEqualTo("shadow");
        assertThat(site.allKeys()).noneMatch(each -> each.endsWith("rulesrv:value:s"));
    }

    @Test
    void what_a_rule_remembers_outlives_its_hub() {
        write("1");
        ok("POST", "/api/rules", keeps("r", ",'cooldown':600"));
        write("90");
        awaitRecords("r", 1);
        hub.close();
        hub = TestHub.start(site.url());
        write("91");
        await().until(
                        () ->
                                ok("GET", "/api/rulesrv/statistics", "")
                                                .path("skipped_cooldown")
                                                .asInt()
                                        > 0);
        assertThat(records("r").size()).isEqualTo(1);
    }

    private long looks(String id) {
        return ok("GET", "/api/rules/" + id + "/stats", "").path("executions").asLong();
    }

    @Test
    void looks_are_counted_once_but_not_with_each_value() {
        ok("POST", "/api/rules", keeps("r", ""));
        long began = System.nanoTime();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            write(Integer.toString(i));
            seen.add(looks("r"));
        }
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        assertThat(seen.size()).isLessThanOrEqualTo((int) seconds + 3);
        await().until(() -> looks("r") >= 60);
        write("60");
        await().until(() -> looks("r") >= 61);
        assertThat(looks("r")).isEqualTo(61);
        assertThat(ok("GET", "/api/statistics", "").path("total_executions").asLong())
                .isEqualTo(61);
    }

    @Test
    void what_was_counted_outlives_its_hub() {
        ok("POST", "/api/rules", keeps("first", ",'priority':9"));
        ok(
                "POST",
                "/api/rules",
                keeps("then", ",'priority':1").replace("'threshold':80", "'threshold':-1"));
        for (int i = 0; i < 20; i++) {
            write(Integer.toString(i));
        }
        // The other one looks first.
        awaitRecords("then", 20);
        hub.close();
        hub = TestHub.start(site.url());
        assertThat(looks("first")).isGreaterThanOrEqualTo(20);
    }

    @Test
    void what_others_write_is_a_rule_too() {
        if (site.cluster()) {
            return;
        }
        write("1");
        site.command("rule:f", "SET", "rule:f", keeps("f", "").replace('\'', '"'));
        site.command("rule:index", "SADD", "rule:index", "f");
        int[] next = {90};
        await().until(
                        () -> {
                            write("" + next[0]++);
                            return records("f").size() > 0;
                        });
        assertThat(ok("GET", "/api/rules/f", "").path("status").asString()).isEqualTo("enabled");
        site.command("rule:status", "HSET", "rule:status", "f", "disabled");
        await().until(
                        () ->
                                ok("GET", "/api/rules/f", "")
                                        .path("status")
                                        .asString()
                                        .equals("disabled"));
        // Both say the same, whoever wrote one of them.
        await().until(() -> redis("rule:f", "GET").contains("\"enabled\":false"));
        ok("POST", "/api/rules/f/enable", "");
        assertThat(redis("rule:f", "GET")).contains("\"enabled\":true");
    }
}
