package dev.millrace.hub.why;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Chains as a client asks for them, on a single server and in a cluster. */
@OnEachSite
class WhyTest {
    private static final String RULE_ON_ALARM =
            "{'id':'fill','trigger':{'type':'alarm','rule_ids':['hot']},'condition':'true','actions':["
                + "{'type':'control','channel_id':2,'point_id':1,'value':1,'queue':true,'reason':'hot'},"
                + "{'type':'alarm','level':'Minor','title':'filling'},{'type':'notify','level':'info','message':'it"
                + " is hot'}]}";

    private final Site site;
    private TestHub hub;

    WhyTest(Site site) {
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

    private void write(int point, String value) {
        ok("POST", "/api/channels/1/T", "{'%d':%s}".formatted(point, value));
    }

    private void alarmRule(String id, int point) {
        ok(
                "POST",
                "/api/alarm-rules",
                "{'id':'%s','source_key':'comsrv:1:T','field':'%d','operator':'>','threshold':85,'alarm_level':'Critical','alarm_title':'Too hot'}"
                        .formatted(id, point));
    }

    private void tank() {
        ok(
                "POST",
                "/api/channels",
                "{'id':2,'name':'Tank','protocol':'virtual','enabled':true,'parameters':{'polling_interval_ms':100},"
                    + "'points':{'T':[{'point_id':1,'mapping':{'tank':'level'}}],'C':[{'point_id':1,'mapping':{'tank':'inlet'}}]}}");
    }

    private JsonNode why(String id) {
        return ok("GET", "/api/why/" + id, "");
    }

    private static List<JsonNode> parts(JsonNode chain) {
        return StreamSupport.stream(chain.path("parts").spliterator(), false).toList();
    }

    private static List<String> kinds(JsonNode chain) {
        return parts(chain).stream().map(each -> each.path("kind").asString()).toList();
    }

    private static JsonNode part(JsonNode chain, String kind, String ofWhat) {
        return parts(chain).stream()
                .filter(each -> each.path("kind").asString().equals(kind))
                .filter(each -> (each.path("id") + " " + each.path("title")).contains(ofWhat))
                .findFirst()
                .orElseThrow(() -> new AssertionError(kind + " " + ofWhat + " in " + chain));
    }

    private static Optional<String> from(JsonNode part) {
        return part.path("from").isNull()
                ? Optional.empty()
                : Optional.of(
                        part.at("/from/kind").asString() + " " + part.at("/from/id").asString());
    }

    /** Each part after the one that led to it, and no part before it in time. */
    private static void assertOrdered(JsonNode chain) {
        Map<String, Integer> places = new HashMap<>();
        List<JsonNode> all = parts(chain);
        for (int i = 0; i < all.size(); i++) {
            JsonNode each = all.get(i);
            assertThat(Instant.parse(each.path("at").asString())).isAfter(Instant.EPOCH);
            Optional<String> from = from(each);
            if (i == 0) {
                assertThat(from).isEmpty();
            } else {
                assertThat(places).as(each.toString()).containsKey(from.orElseThrow());
            }
            places.put(each.path("kind").asString() + " " + each.path("id").asString(), i);
        }
    }

    @Test
    void from_a_value_to_an_alarm_to_a_rule_to_a_command_and_back_every_id_tells_the_same_chain() {
        tank();
        TestHub.Reply subscribed =
                send(
                        "POST",
                        "/api/v1/subscription",
                        "{'slug':'people','receiver':'ann','subscribedLabels':['alarm'],'channels':[{'type':'MESSAGE_CHANNEL','messageChannel':'people'}]}");
        assertThat(subscribed.status()).as(subscribed.body()).isEqualTo(201);
        alarmRule("hot", 101);
        ok("POST", "/api/rules", RULE_ON_ALARM);
        write(101, "80");
        write(101, "90");
        await().until(() -> isComplete(why("hot")));
        JsonNode chain = why("hot");
        assertThat(chain.path("truncated").asBoolean()).isFalse();
        assertOrdered(chain);
        JsonNode value = parts(chain).getFirst();
        assertThat(value.path("kind").asString()).isEqualTo("value");
        assertThat(value.path("title").asString()).isEqualTo("comsrv:1:T 101 = 90");
        assertThat(value.path("id")).isEqualTo(chain.path("cause"));
        JsonNode alarm = part(chain, "alarm", "alarm-hot-1");
        assertThat(from(alarm)).contains("value " + value.path("id").asString());
        JsonNode execution = part(chain, "execution", "");
        assertThat(from(execution)).contains("alarm alarm-hot-1");
        assertThat(execution.path("who").asString()).isEqualTo("rule:fill");
        String executionId = execution.path("id").asString();
        JsonNode command = part(chain, "command", "");
        assertThat(from(command)).contains("execution " + executionId);
        assertThat(command.path("id").asString()).isEqualTo(executionId + "-1");
        assertThat(command.at("/details/cause")).isEqualTo(chain.path("cause"));
        JsonNode readBack = part(chain, "read_back", "");
        assertThat(from(readBack)).contains("command " + executionId + "-1");
        assertThat(readBack.at("/details/actual_value").asString()).isEqualTo("1");
        assertThat(from(part(chain, "alarm", "alarm-rule.fill-1")))
                .contains("execution " + executionId);
        JsonNode told = part(chain, "notification", "alarm-hot-1");
        assertThat(from(told)).contains("alarm alarm-hot-1");
        JsonNode sent = part(chain, "transmission", "ann");
        assertThat(from(part(chain, "notification", executionId + "-3")))
                .contains("execution " + executionId);
        List<String> ids = new ArrayList<>(List.of("hot", "rule.fill"));
        parts(chain).forEach(each -> ids.add(each.path("id").asString()));
        ids.add(told.at("/details/id").asString());
        ids.add(sent.path("id").asString());
        for (String each : ids) {
            assertThat(why(each).path("parts")).as(each).isEqualTo(chain.path("parts"));
        }
        assertThat(why(executionId).at("/asked/kind").asString()).isEqualTo("execution");
        assertThat(ok("GET", "/api/why/hot?kind=alarm", "").path("parts"))
                .isEqualTo(chain.path("parts"));
    }

    /** The device has answered, and everybody was told. */
    private static boolean isComplete(JsonNode chain) {
        List<String> statuses = new ArrayList<>();
        parts(chain).stream()
                .filter(each -> each.path("kind").asString().endsWith("ion"))
                .forEach(each -> statuses.add(each.at("/details/status").asString("")));
        return kinds(chain).contains("read_back")
                && statuses.contains("SENT")
                && statuses.stream().filter("PROCESSED"::equals).count() == 2;
    }

    @Test
    void who_acknowledged_an_alarm_and_what_ended_it_belong_to_it() {
        alarmRule("hot", 101);
        write(101, "90");
        ok("POST", "/api/alarms/hot/acknowledge", "{'user':'ann','note':'on my way'}");
        write(101, "20");
        JsonNode first = part(why("hot"), "alarm", "");
        List<String> events = new ArrayList<>();
        first.at("/details/events").forEach(each -> events.add(each.path("type").asString()));
        assertThat(events).containsExactly("triggered", "acknowledged", "cleared");
        assertThat(first.at("/details/events/1/user").asString()).isEqualTo("ann");
        // Raised again, it is another chain; the one before is still told.
        write(101, "95");
        JsonNode second = why("hot");
        assertThat(part(second, "alarm", "").path("id").asString()).isEqualTo("alarm-hot-2");
        assertThat(parts(second).getFirst().path("title").asString())
                .isEqualTo("comsrv:1:T 101 = 95");
        JsonNode before = why("alarm-hot-1");
        assertThat(parts(before).getFirst().path("title").asString())
                .isEqualTo("comsrv:1:T 101 = 90");
        assertThat(part(before, "alarm", "").at("/details/events"))
                .isEqualTo(first.at("/details/events"));
    }

    @Test
    void a_value_that_a_rule_has_written_leads_on_to_what_it_raises_and_wakes() {
        write(101, "1");
        write(102, "1");
        alarmRule("echo", 102);
        ok(
                "POST",
                "/api/rules",
                "{'id':'copy','trigger':'data_change','condition':{'source':'comsrv:1:T:101','operator':'>','value':80},"
                    + "'actions':[{'type':'set_value','target':'comsrv:1:T:102','value':99}]}");
        ok(
                "POST",
                "/api/rules",
                "{'id':'next','trigger':{'type':'data_change','sources':['comsrv:1:T:102']},'condition':{'source':'comsrv:1:T:102','operator':'>','value':80},'actions':[{'type':'log','message':'x'}]}");
        write(101, "90");
        await().until(
                        () ->
                                send("GET", "/api/why/echo", "").status() == 200
                                        && kinds(why("echo")).stream()
                                                        .filter("execution"::equals)
                                                        .count()
                                                == 2);
        JsonNode chain = why("echo");
        assertOrdered(chain);
        assertThat(parts(chain).getFirst().path("title").asString())
                .isEqualTo("comsrv:1:T 101 = 90");
        String copy = part(chain, "execution", "Rule copy").path("id").asString();
        assertThat(from(part(chain, "alarm", "alarm-echo-1"))).contains("execution " + copy);
        JsonNode next = part(chain, "execution", "Rule next");
        assertThat(from(next)).contains("execution " + copy);
        assertThat(why(next.path("id").asString()).path("parts")).isEqualTo(chain.path("parts"));
    }

    @Test
    void a_call_is_told_with_who_made_it() {
        tank();
        ok(
                "POST",
                "/api/rules",
                "{'id':'m','trigger':'manual','condition':'true','actions':[{'type':'log'}]}");
        String run = ok("POST", "/api/rules/m/execute", "{}").path("execution_id").asString();
        JsonNode chain = why(run);
        assertThat(kinds(chain)).containsExactly("call", "execution");
        assertThat(parts(chain).getFirst().path("who").asString()).isNotEmpty();
        String command =
                ok("POST", "/api/control/2", "{'point_id':1,'value':1,'queue':true}")
                        .path("cmd_id")
                        .asString();
        await().until(() -> kinds(why(command)).contains("read_back"));
        assertThat(kinds(why(command))).containsExactly("call", "command", "read_back");
        assertThat(why(parts(why(command)).getFirst().path("id").asString()).path("parts"))
                .isEqualTo(why(command).path("parts"));
        ok("POST", "/api/alarms", "{'id':'byhand','alarm_level':'Minor','user':'ann'}");
        JsonNode raised = why("byhand");
        assertThat(kinds(raised)).startsWith("call", "alarm");
        assertThat(parts(raised).getFirst().path("who").asString()).isEqualTo("ann");
    }

    @Test
    void what_is_gone_leaves_a_gap_in_the_chain_and_the_rest_is_told() {
        tank();
        alarmRule("hot", 101);
        ok("POST", "/api/rules", RULE_ON_ALARM);
        write(101, "90");
        await().until(
                        () ->
                                send("GET", "/api/why/hot", "").status() == 200
                                        && kinds(why("hot")).contains("read_back"));
        String command = part(why("hot"), "command", "").path("id").asString();
        ok("DELETE", "/api/rules/fill", "");
        JsonNode left = why(command);
        assertThat(part(left, "execution", "").path("kept").asBoolean()).isFalse();
        assertThat(kinds(left)).contains("execution", "command", "read_back");
        assertThat(kinds(why("hot"))).doesNotContain("execution");
    }

    @Test
    void another_hub_tells_it_as_the_one_before() {
        alarmRule("hot", 101);
        write(101, "90");
        await().until(() -> kinds(why("hot")).contains("notification"));
        String before = parts("hot");
        hub.close();
        hub = TestHub.start(site.url());
        assertThat(parts("hot")).isEqualTo(before);
    }

    /** But for when a hub has looked at it last, which it does when it starts. */
    private String parts(String id) {
        return why(id).path("parts").toString().replaceAll("\"updated_at\":\"[^\"]*\",", "");
    }

    @Test
    void an_id_that_nobody_knows_is_not_found() {
        for (String id :
                List.of(
                        "none",
                        "alarm-none-1",
                        "x0-000000000000000000",
                        "v-0-1-2",
                        "v-mlabcdef-abcdef",
                        "c-command-none",
                        "m-00000000-0000-0000-0000-000000000000",
                        "a%20b",
                        "%2A",
                        "x".repeat(600))) {
            TestHub.Reply reply = send("GET", "/api/why/" + id, "");
            assertThat(reply.status()).as(id + reply.body()).isEqualTo(404);
            assertThat(reply.json().at("/error/code").asString()).as(id).isEqualTo("NOT_FOUND");
        }
        assertThat(
                        send("GET", "/api/why/none?kind=nothing", "")
                                .json()
                                .at("/error/code")
                                .asString())
                .isEqualTo("INVALID_PARAMETER");
    }
}
