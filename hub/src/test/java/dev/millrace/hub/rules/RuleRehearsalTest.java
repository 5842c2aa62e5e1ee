package dev.millrace.hub.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Rules of both kinds on the past, as a client asks for it. */
@OnEachSite
class RuleRehearsalTest {
    private static final String LOG = "'actions':[{'type':'log'}]";

    private final Site site;
    private TestHub hub;

    RuleRehearsalTest(Site site) {
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

    /** No two writes in one millisecond: of one series history has one value at a time. */
    private void write(String values) {
        long before = System.currentTimeMillis();
        while (System.currentTimeMillis() < before + 2) {
            Thread.onSpinWait();
        }
        ok("POST", "/api/channels/1/T", values);
    }

    private JsonNode records(String id) {
        return ok("GET", "/api/rules/" + id + "/history?limit=1000", "");
    }

    private static String span(Instant start, Instant end) {
        return "'start':'%s','end':'%s'".formatted(start, end);
    }

    private void awaitHistory(String field, int samples) {
        await().until(
                        () ->
                                ok(
                                                        "GET",
                                                        "/api/history/comsrv/1/"
                                                                + field
                                                                + "?limit=10000&start="
                                                                + Instant.now().minusSeconds(3600),
                                                        "")
                                                .path("samples")
                                                .size()
                                        >= samples);
    }

    // ------------------------------------------------------------------ and what was live

    private static final Map<String, String> RULES =
            Map.of(
                    "level",
                    "'condition':{'source':'comsrv:1:T:101','operator':'>','value':80},'actions':[{'type':'set_value','target':'rulesrv:value:level','value':'v"
                        + " * 2'}],'inputs':{'v':'comsrv:1:T:101'}",
                    "rests",
                    "'condition':{'source':'comsrv:1:T:101','operator':'>','value':50},'cooldown':0.05,"
                            + LOG,
                    "edge",
                    "'condition':{'source':'comsrv:1:T:101','operator':'>','value':50},'trigger_mode':'edge',"
                            + LOG,
                    "lasts",
                    "'condition':{'source':'comsrv:1:T:102','operator':'>','value':50,'duration':0.02},'trigger_mode':'edge',"
                            + LOG,
                    "groups",
                    "'condition_logic':'AND','condition_groups':[{'logic':'OR','conditions':[{'source':'comsrv:1:T:101','op':'>','value':60},"
                        + "{'source':'comsrv:1:T:102','op':'<','value':20}]},{'logic':'AND','conditions':[{'source':'comsrv:1:T:102','op':'!=','value':3}]}],"
                            + LOG,
                    "average",
                    "'condition':'moving_avg(x, 4) > 55 && rate_of_change(y) >"
                            + " 0','inputs':{'x':'comsrv:1:T:101','y':'comsrv:1:T:102'},"
                            + LOG,
                    "flow",
                    "'nodes':[{'id':'in','type':'input','config':{'source':'comsrv:1:T:101'}},{'id':'high','type':'condition','config':{'expression':'$in"
                        + " > 70'}},{'id':'act','type':'action','config':{'type':'log','message':'{in}'}}],'edges':[{'from':'in','to':'high'},{'from':'high','to':'act','condition':'true'}]");

    @Test
    void a_rule_rehearsed_over_the_time_in_which_it_was_live_gives_its_executions() {
        write("{'101':10,'102':10,'103':0}");
        RULES.forEach(
                (id, text) ->
                        ok(
                                "POST",
                                "/api/rules",
                                "{'id':'%s','trigger':'data_change',%s}".formatted(id, text)));
        Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Random random = new Random(22);
        int writes = 150;
        for (int i = 0; i < writes; i++) {
            write("{'101':%d,'102':%d}".formatted(random.nextInt(100), random.nextInt(100)));
        }
        // It lasts, whatever the machine is busy with.
        write("{'102':0}");
        int before = records("lasts").size();
        write("{'102':99}");
        await().until(() -> records("lasts").size() > before);
        // What is written last is looked at last, and recorded last.
        ok(
                "POST",
                "/api/rules",
                "{'id':'last','trigger':'data_change','condition':{'source':'comsrv:1:T:103','operator':'>','value':80},"
                        + LOG
                        + "}");
        write("{'103':90}");
        await().until(() -> records("last").size() == 1);
        Instant end = Instant.parse(records("last").get(0).path("timestamp").asString());
        awaitHistory("103", 2);
        for (String id : RULES.keySet()) {
            List<String> live = new ArrayList<>();
            records(id)
                    .forEach(
                            each -> {
                                Instant at = Instant.parse(each.path("timestamp").asString());
                                if (!at.isBefore(start) && at.isBefore(end)) {
                                    live.addFirst(line(each, "timestamp", "actions_executed"));
                                }
                            });
            JsonNode found =
                    ok("POST", "/api/rules/" + id + "/rehearse", "{" + span(start, end) + "}");
            List<String> rehearsed = new ArrayList<>();
            found.path("firings").forEach(each -> rehearsed.add(line(each, "at", "actions")));
            assertThat(rehearsed).as(id).isEqualTo(live).isNotEmpty();
            JsonNode difference = found.path("difference");
            assertThat(difference.path("same").asInt()).as(id).isEqualTo(live.size());
            assertThat(difference.path("only_live").size()).as(found.toString()).isZero();
            assertThat(difference.path("only_rehearsed").size()).as(id).isZero();
        }
        // Another rule over the same time says where it differs.
        JsonNode other =
                ok(
                        "POST",
                        "/api/rulesrv/rules/level/rehearse",
                        "{%s,'rule':{'trigger':'data_change','condition':{'source':'comsrv:1:T:101','operator':'>','value':90},%s}}"
                                .formatted(span(start, end), LOG));
        assertThat(other.at("/difference/only_rehearsed").size()).isZero();
        assertThat(other.at("/difference/only_live").size())
                .isEqualTo(
                        other.at("/difference/live").asInt() - other.path("total_firings").asInt())
                .isPositive();
    }

    /** When, why and what. */
    private static String line(JsonNode run, String time, String actions) {
        StringBuilder line = new StringBuilder();
        line.append(run.path(time).asString()).append(' ').append(run.path("trigger").asString());
        for (JsonNode each : run.path(actions)) {
            line.append(' ').append(each.path("target").asString());
            line.append('=').append(each.path("value").asString());
        }
        return line.toString();
    }

    // ------------------------------------------------------------------ touching nothing

    @Test
    void a_rehearsal_changes_no_key() {
        ok(
                "POST",
                "/api/channels",
                "{'id':1,'protocol':'virtual','enabled':true,'points':{'T':[{'point_id':101}],'C':[{'point_id':20}]}}");
        ok(
                "POST",
                "/api/rules",
                "{'id':'r','enabled':false,'cooldown':1,'condition':'integrate(x) >"
                    + " 0','inputs':{'x':'comsrv:1:T:101'},"
                    + "'actions':[{'type':'device_control','channel_id':1,'point_id':20,'value':1},"
                    + "{'type':'set_value','target':'comsrv:1:T:101','value':1},{'type':'notify','message':'m'},"
                    + "{'type':'alarm','title':'t'},{'type':'event','event_type':'mine'},"
                    + "{'type':'set_value','target':'rulesrv:value:mine','value':1},{'type':'publish','channel':'mine','message':'m'}]}");
        ok(
                "POST",
                "/api/alarm-rules",
                "{'id':'hot','source_key':'comsrv:1:T','field':'101','operator':'>','threshold':85,'on_delay':1,'no_data_after':1,'enabled':false}");
        Instant start = Instant.now().minusSeconds(60);
        for (int i = 0; i < 20; i++) {
            write("{'101':%d}".formatted(80 + i));
        }
        awaitHistory("101", 20);
        String span = "{'start':'%s'}".formatted(start);
        Map<String, Object> before = kept();
        JsonNode rule = ok("POST", "/api/rules/r/rehearse", span);
        JsonNode alarm = ok("POST", "/api/alarm-rules/hot/rehearse", span);
        ok("POST", "/api/rules/test", "{'rule':" + ok("GET", "/api/rules/r", "") + "}");
        assertThat(rule.path("total_firings").asInt()).as(rule.toString()).isPositive();
        assertThat(rule.at("/commands/0/target").asString()).isEqualTo("comsrv:1:C:20");
        assertThat(alarm.path("samples").asInt()).isEqualTo(20);
        assertThat(kept()).isEqualTo(before);
    }

    /** All that is there, but leases and clocks of duties, which go on by themselves. */
    private Map<String, Object> kept() {
        Map<String, Object> all = site.dump();
        all.keySet()
                .removeIf(
                        key ->
                                key.contains("millrace:")
                                        || key.contains("status:service")
                                        || key.contains("hissrv:"));
        return all;
    }

    // ------------------------------------------------------------------ what it tells

    /** Values at seconds behind a start: 0:80 5:90. */
    private void past(Instant start, String values) {
        List<String> samples = new ArrayList<>();
        for (String each : values.split(" ")) {
            String[] parts = each.split(":");
            samples.add(
                    "{'source':'comsrv','id':'1','field':'101','ts':%d,'value':%s}"
                            .formatted(
                                    start.toEpochMilli()
                                            + Math.round(Double.parseDouble(parts[0]) * 1000),
                                    parts[1]));
        }
        ok("POST", "/api/history/samples", "{'samples':[" + String.join(",", samples) + "]}");
    }

    private static Instant anHourAgo() {
        return Instant.now().minus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MINUTES);
    }

    @Test
    void a_rule_that_is_not_stored_says_when_it_would_have_acted_and_for_how_long() {
        Instant start = anHourAgo();
        past(start, "0:70 10:81 11:82 20:79 30:90 33:70 36:90 39:70 42:90 300:10");
        String rule =
                "{%s,'rule':{'trigger':'data_change','trigger_mode':'edge','condition':{'source':'comsrv:1:T','field':'101','operator':'>','threshold':80},"
                                .formatted(span(start, start.plusSeconds(600)))
                        + "'actions':[{'type':'device_control','channel_id':1,'point_id':20,'value':1}]}}";
        JsonNode found = ok("POST", "/api/rules/fresh/rehearse", rule);
        assertThat(found.path("complete").asBoolean()).isTrue();
        assertThat(found.path("samples").asInt()).isEqualTo(10);
        assertThat(found.path("total_firings").asInt()).as(found.toString()).isEqualTo(4);
        JsonNode first = found.at("/firings/0");
        assertThat(Instant.parse(first.path("at").asString())).isEqualTo(start.plusSeconds(10));
        assertThat(first.at("/values/comsrv:1:T:101").asString()).isEqualTo("81");
        assertThat(first.path("duration_ms").asLong()).isEqualTo(10_000);
        assertThat(first.at("/actions/0/target").asString()).isEqualTo("comsrv:1:C:20");
        assertThat(found.at("/commands/0/times").asInt()).isEqualTo(4);
        assertThat(found.at("/flapping/flaps").asBoolean()).isTrue();
        assertThat(found.at("/flapping/most_in_a_minute").asInt()).isEqualTo(4);
        assertThat(found.at("/flapping/shortest_pause_ms").asLong()).isEqualTo(6_000);
        // By itself it looks every ten seconds besides, and rests when it has acted.
        JsonNode looking =
                ok(
                        "POST",
                        "/api/rules/fresh/rehearse",
                        rule.replace(
                                "'trigger':'data_change','trigger_mode':'edge'", "'cooldown':60"));
        assertThat(looking.path("looks").asInt()).isGreaterThan(30);
        assertThat(looking.findValuesAsString("trigger")).contains("re_evaluation", "data_change");
        assertThat(looking.path("skipped_cooldown").asInt()).isEqualTo(8);
        assertThat(looking.at("/flapping/shortest_pause_ms").asLong())
                .isGreaterThanOrEqualTo(60_000);
    }

    @Test
    void an_alarm_rule_goes_through_its_states() {
        Instant start = anHourAgo();
        // The worked examples: a dead band, and a delay that ends by its timer alone.
        past(start, "0:80 10:86 20:84 30:83.5 40:83 100:86 103:84 104:86 200:80");
        String rule =
                "{%s,'rule':{'source_key':'comsrv:1:T','field':'101','operator':'>','threshold':85,"
                        .formatted(span(start, start.plusSeconds(600)));
        JsonNode band = ok("POST", "/api/alarm-rules/new/rehearse", rule + "'deadband':2}}");
        assertThat(times(band, start)).containsExactly(10L, 100L);
        assertThat(band.at("/firings/0/duration_ms").asLong()).isEqualTo(30_000);
        JsonNode delay =
                ok("POST", "/api/alarmsrv/alarm-rules/new/rehearse", rule + "'on_delay':5}}");
        assertThat(times(delay, start)).containsExactly(15L, 109L);
        assertThat(delay.at("/firings/1/trigger").asString()).isEqualTo("delay");
        assertThat(delay.at("/firings/1/values/comsrv:1:T:101").asString()).isEqualTo("86");
    }

    private static List<Long> times(JsonNode found, Instant start) {
        List<Long> times = new ArrayList<>();
        found.path("firings")
                .forEach(
                        each ->
                                times.add(
                                        ChronoUnit.SECONDS.between(
                                                start, Instant.parse(each.path("at").asString()))));
        return times;
    }

    @Test
    void an_alarm_that_was_raised_is_raised_again_and_wakes_the_rule_that_it_woke() {
        ok(
                "POST",
                "/api/alarm-rules",
                "{'id':'hot','source_key':'comsrv:1:T','field':'101','operator':'>','threshold':85}");
        ok(
                "POST",
                "/api/rules",
                "{'id':'onalarm','trigger':{'type':'alarm','rule_ids':['hot']},'condition':{'source':'comsrv:1:T:101','operator':'>','value':80},%s}"
                        .formatted(LOG));
        write("{'101':80}");
        write("{'101':90}");
        await().until(() -> records("onalarm").size() == 1);
        awaitHistory("101", 2);
        // Events of alarms are kept with their second, so the second has to be over.
        await().until(
                        () ->
                                Instant.now()
                                        .isAfter(
                                                Instant.parse(
                                                                records("onalarm")
                                                                        .get(0)
                                                                        .path("timestamp")
                                                                        .asString())
                                                        .plusSeconds(2)));
        String span = "{'start':'%s'}".formatted(Instant.now().minusSeconds(600));
        JsonNode alarm = ok("POST", "/api/alarm-rules/hot/rehearse", span);
        assertThat(alarm.at("/difference/same").asInt()).as(alarm.toString()).isEqualTo(1);
        assertThat(alarm.at("/difference/only_live").size()).isZero();
        JsonNode rule = ok("POST", "/api/rules/onalarm/rehearse", span);
        assertThat(rule.at("/difference/same").asInt()).as(rule.toString()).isEqualTo(1);
        assertThat(rule.at("/firings/0/values/comsrv:1:T:101").asString()).isEqualTo("90");
    }

    // ------------------------------------------------------------------ long ones

    @Test
    void a_long_one_goes_on_by_itself_says_how_far_it_is_and_ends_when_it_is_not_wanted() {
        Instant start = Instant.now().minus(3, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        StringBuilder values = new StringBuilder();
        for (int minute = 0; minute < 3 * 24 * 60; minute += 30) {
            values.append(minute == 0 ? "" : " ")
                    .append(minute * 60)
                    .append(':')
                    .append(minute % 60);
        }
        past(start, values.toString());
        String rule =
                "'rule':{'trigger':'%s','condition':{'source':'comsrv:1:T:101','operator':'>','value':20},"
                        + LOG
                        + "}}";
        String body =
                "{"
                        + span(start, start.plus(3, ChronoUnit.DAYS))
                        + ","
                        + rule.formatted("data_change");
        TestHub.Reply begun = send("POST", "/api/rules/long/rehearse", body);
        assertThat(begun.status()).as(begun.body()).isEqualTo(202);
        String place =
                "/api/rules/long/rehearsals/" + begun.json().at("/data/rehearsal_id").asString();
        assertThat(begun.header("Location")).isEqualTo(place);
        await().until(() -> ok("GET", place, "").path("state").asString().equals("done"));
        JsonNode done = ok("GET", place, "");
        assertThat(done.path("progress").asDouble()).isEqualTo(1);
        assertThat(done.at("/result/total_firings").asInt()).isEqualTo(72);
        ok("DELETE", place, "");
        assertThat(send("GET", place, "").status()).isEqualTo(404);

        // Ten looks a second for a year: nobody waits for that.
        String endless =
                "{'start':'%s',".formatted(Instant.now().minus(360, ChronoUnit.DAYS))
                        + rule.formatted("x")
                                .replace("'x'", "{'type':'interval','interval_ms':100}");
        List<String> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            running.add(
                    ok("POST", "/api/rules/long/rehearse", endless)
                            .path("rehearsal_id")
                            .asString());
        }
        TestHub.Reply refused = send("POST", "/api/rules/long/rehearse", endless);
        assertThat(refused.status()).as(refused.body()).isEqualTo(429);
        assertThat(refused.json().at("/error/code").asString()).isEqualTo("QUEUE_FULL");
        for (String each : running) {
            JsonNode one = ok("GET", "/api/rules/long/rehearsals/" + each, "");
            assertThat(one.path("progress").asDouble()).isLessThan(1);
            assertThat(send("GET", "/api/rules/other/rehearsals/" + each, "").status())
                    .isEqualTo(404);
            ok("DELETE", "/api/rules/long/rehearsals/" + each, "");
        }
        await().until(() -> send("POST", "/api/rules/long/rehearse", body).status() == 202);
    }

    @Test
    void what_cannot_be_rehearsed_is_refused() {
        String rule = "'rule':{'condition':'true'," + LOG + "}";
        for (String row :
                List.of(
                        "/api/rules/none|{'start':1}|404|RULE_NOT_FOUND",
                        "/api/alarm-rules/none|{'start':'2026-01-01T00:00:00Z','end':'2026-01-02T00:00:00Z'}|404|RULE_NOT_FOUND",
                        "/api/rules/r|{" + rule + "}|400|INVALID_PARAMETER",
                        "/api/rules/r|{'start':'yesterday'," + rule + "}|400|INVALID_PARAMETER",
                        "/api/rules/r|{'start':20,'end':10," + rule + "}|400|INVALID_PARAMETER",
                        "/api/rules/r|{'start':1," + rule + "}|400|RANGE_TOO_LARGE",
                        "/api/rules/r|{'start':10,'end':20,'rule':7}|400|VALIDATION_ERROR",
                        "/api/rules/r|{'start':10,'end':20,'rule':{}}|400|INVALID_CONDITION",
                        "/api/rules/r|{'start':10,'end':20,'rule':{'condition':'true'}}|400|INVALID_ACTION",
                        "/api/rules/index|{'start':10,'end':20," + rule + "}|400|RESERVED_ID",
                        "/api/alarm-rules/r|{'start':10,'end':20,'rule':{}}|400|VALIDATION_ERROR",
                        "/api/rules/r|[]|400|VALIDATION_ERROR")) {
            String[] parts = row.split("\\|", -1);
            String body = parts[0].endsWith("none") ? "{'start':10,'end':20}" : parts[1];
            TestHub.Reply reply = send("POST", parts[0] + "/rehearse", body);
            assertThat(reply.status()).as(row + reply.body()).isEqualTo(Integer.parseInt(parts[2]));
            assertThat(reply.json().at("/error/code").asString()).as(row).isEqualTo(parts[3]);
        }
    }
}
