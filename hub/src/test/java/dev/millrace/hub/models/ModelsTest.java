package dev.millrace.hub.models;

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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Models and templates, as a client sees them. */
@OnEachSite
class ModelsTest {
    private static final String TEMPLATE =
            """
            {"id":"transformer","type":"tr","measurements":{
               "ia":{"type":"T","base_id":1},"ib":{"type":"T","base_id":2},"ic":{"type":"T","base_id":3},
               "load":{"expression":"(ia+ib+ic)/3"},"open":{"type":"S","base_id":4}},
             "actions":{"start":{"type":"C","base_id":5},"limit":{"type":"A","base_id":6,"min":0,"max":100}},
             "properties":{"power":{"default":10}},
             "alarms":{"hot":{"field":"load","operator":">","threshold":50,"level":"Critical","title":"Hot"}}}
            """;

    private static TestHub hub;
    private static int channel = 100;

    @Parameter Site site;

    @BeforeEach
    void start() {
        if (hub == null) {
            String url = site.url();
            SharedServers.flushAll();
            hub = TestHub.start(url);
            assertThat(hub.send("POST", "/api/templates", TEMPLATE).status()).isEqualTo(201);
        }
        channel++;
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        hub.close();
        hub = null;
    }

    private static TestHub.Reply made(String id, String body) {
        TestHub.Reply reply = hub.send("PUT", "/api/models/" + id, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply;
    }

    private static JsonNode data(String path) {
        TestHub.Reply reply = hub.get(path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().get("data");
    }

    private static String code(TestHub.Reply reply) {
        return reply.status() + " " + reply.json().at("/error/code").asString("");
    }

    private static JsonNode measured(String model) {
        return data("/api/models/" + model + "/data").get("measurement");
    }

    private static void values(int channel, String type, String values) {
        TestHub.Reply reply = hub.send("POST", "/api/channels/" + channel + "/" + type, values);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private static String fromTemplate(String id, String more) {
        return "{\"template_id\":\"transformer\",\"model_id\":\"%s\",\"name\":\"One\",\"mapping\":{\"channel\":%d,\"base\":0}%s}"
                .formatted(id, channel, more);
    }

    // ---------------------------------------------------------------- values

    @Test
    void a_point_feeds_a_measurement_and_what_is_computed_from_it() {
        made(
                "m1",
                """
                {"name":"One","mappings":{"measurement":{
                   "twice":{"expression":"sum*2"},
                   "temperature":{"channel":%1$d,"point_id":101,"type":"T"},
                   "kilo":{"channel":%1$d,"point_id":102,"scale":0.001,"offset":1},
                   "sum":{"expression":"temperature + kilo"},
                   "all":{"aggregate":"max","sources":[{"channel":%1$d,"point_id":101},{"channel":%1$d,"point_id":102}]}}}}
                """
                        .formatted(channel));
        values(channel, "T", "{\"101\":75.5,\"102\":2000}");
        await().until(() -> measured("m1").path("twice").asDouble(0) == 157);
        assertThat(measured("m1").toString())
                .isEqualTo(
                        "{\"temperature\":75.5,\"kilo\":3,\"all\":2000,\"sum\":78.5,\"twice\":157}");
        assertThat(data("/api/models/m1/status").get("state").asString()).isEqualTo("normal");
        if (!site.cluster()) {
            assertThat(
                            site.command(
                                    "sync:comsrv_to_modsrv",
                                    "HGET",
                                    "sync:comsrv_to_modsrv",
                                    "comsrv:" + channel + ":T:101"))
                    .isEqualTo("model:m1:measurement:temperature");
        }
        values(channel, "T", "{\"101\":80}");
        await().until(() -> measured("m1").path("sum").asDouble(0) == 83);
    }

    @Test
    void what_is_missing_or_bad_shows_in_the_status() {
        made(
                "m2",
                """
                {"mappings":{"measurement":{"a":{"channel":%1$d,"point_id":1},"b":{"channel":%1$d,"point_id":2},
                  "ratio":{"expression":"a/b"}}}}
                """
                        .formatted(channel));
        values(channel, "T", "{\"1\":6}");
        await().until(
                        () ->
                                data("/api/models/m2/status")
                                        .get("state")
                                        .asString()
                                        .equals("warning"));
        assertThat(data("/api/models/m2/status").get("error_msg").asString())
                .isEqualTo("b is missing");
        values(channel, "T", "{\"2\":3}");
        await().until(() -> measured("m2").path("ratio").asDouble(0) == 2);
        assertThat(data("/api/models/m2/status").get("state").asString()).isEqualTo("normal");
        values(channel, "T", "{\"2\":0}");
        await().until(() -> data("/api/models/m2/status").get("state").asString().equals("fault"));
        assertThat(measured("m2").get("ratio").asDouble()).isEqualTo(2);
        assertThat(hub.get("/api/queues/model").body()).contains("\"fault\"");
    }

    @Test
    void eight_writers_of_eight_members_lose_none() throws Exception {
        made("m3", "{\"mappings\":{}}");
        try (TestHub second = TestHub.start(site.url())) {
            List<Thread> threads = new ArrayList<>();
            List<String> wrong = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int member = i;
                threads.add(
                        Thread.startVirtualThread(
                                () -> {
                                    TestHub mine = member % 2 == 0 ? hub : second;
                                    for (int n = 1; n <= 20; n++) {
                                        TestHub.Reply reply =
                                                mine.send(
                                                        "POST",
                                                        "/api/models/m3/measurement",
                                                        "{\"v%d\":%d}".formatted(member, n));
                                        if (reply.status() != 200) {
                                            wrong.add(reply.body());
                                        }
                                    }
                                }));
            }
            for (Thread each : threads) {
                each.join();
            }
            assertThat(wrong).isEmpty();
        }
        JsonNode all = measured("m3");
        for (int i = 0; i < 8; i++) {
            assertThat(all.path("v" + i).asInt(0)).as(all.toString()).isEqualTo(20);
        }
    }

    @Test
    void an_alarm_rule_of_a_model_goes_off_with_its_measurement() {
        made(
                "m4",
                """
                {"mappings":{"measurement":{"t":{"channel":%d,"point_id":1}}},
                 "alarms":{"hot":{"field":"t","operator":">","threshold":85}}}
                """
                        .formatted(channel));
        values(channel, "T", "{\"1\":90}");
        await().until(
                        () ->
                                hub.get("/api/alarms/m4.hot")
                                        .json()
                                        .at("/data/status")
                                        .asString("")
                                        .equals("active"));
        TestHub.Reply written = hub.send("POST", "/api/models/m4/measurement", "{\"t\":80}");
        assertThat(written.json().at("/data/alarms/cleared").toString()).contains("m4.hot");
        assertThat(
                        hub.send("POST", "/api/models/m4/measurement", "{\"t\":99}")
                                .json()
                                .at("/data/alarms/triggered")
                                .toString())
                .contains("m4.hot");
    }

    @Test
    void an_action_is_a_command_and_follows_it() {
        hub.send(
                "POST",
                "/api/channels",
                "{\"id\":%d,\"protocol\":\"virtual\",\"enabled\":true,\"points\":{\"C\":[{\"point_id\":7}],\"A\":[{\"point_id\":8}]}}"
                        .formatted(channel));
        values(channel, "T", "{\"1\":1}");
        made(
                "a1",
                "{\"mappings\":{\"action\":{\"fan\":{\"channel\":%1$d,\"point_id\":7},\"limit\":{\"channel\":%1$d,\"point_id\":8,\"type\":\"A\",\"min\":0,\"max\":100}}}}"
                        .formatted(channel));
        TestHub.Reply ordered =
                hub.send("POST", "/api/models/a1/action", "{\"action\":\"fan\",\"value\":1}");
        assertThat(ordered.status()).as(ordered.body()).isEqualTo(202);
        String command = ordered.json().at("/data/cmd_id").asString();
        await().until(
                        () ->
                                data("/api/models/a1/data")
                                        .at("/action/cmd_id")
                                        .asString("")
                                        .equals(command));
        JsonNode action = data("/api/models/a1/data").get("action");
        assertThat(action.get("action").asString()).isEqualTo("fan");
        assertThat(action.get("point_id").asInt()).isEqualTo(7);
        assertThat(action.at("/last/fan").asInt()).isEqualTo(1);
        assertThat(
                        data("/api/commands/" + command)
                                .at("/source")
                                .asString(data("/api/commands/" + command).toString()))
                .contains("model:a1");
        hub.send("POST", "/api/commands/" + command + "/cancel", "");
        await().until(
                        () ->
                                !data("/api/models/a1/data")
                                        .at("/action/status")
                                        .asString("")
                                        .equals("pending"));

        assertThat(
                        code(
                                hub.send(
                                        "POST",
                                        "/api/models/a1/action",
                                        "{\"action\":\"limit\",\"value\":101}")))
                .isEqualTo("400 VALIDATION_ERROR");
        assertThat(
                        code(
                                hub.send(
                                        "POST",
                                        "/api/models/a1/action",
                                        "{\"action\":\"no\",\"value\":1}")))
                .isEqualTo("404 ACTION_NOT_FOUND");
    }

    // ---------------------------------------------------------------- templates

    @Test
    void a_model_from_a_template_has_all_its_keys_and_leaves_none() {
        long models = data("/api/status/system").get("total_models").asLong();
        long version = data("/api/config/version").get("version").asLong();
        TestHub.Reply made =
                hub.send("POST", "/api/models/from-template", fromTemplate("tr_1", ""));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(data("/api/config/version").get("version").asLong()).isEqualTo(version + 1);
        assertThat(data("/api/status/system").get("total_models").asLong()).isEqualTo(models + 1);
        assertThat(data("/api/models/tr_1").at("/properties/power").asInt()).isEqualTo(10);
        assertThat(data("/api/models?type=tr").toString()).contains("\"tr_1\"");
        assertThat(data("/api/alarm-rules/tr_1.hot").get("source_key").asString())
                .isEqualTo("model:tr_1:measurement");
        assertThat(data("/api/models/tr_1/status").get("state").asString()).isEqualTo("normal");
        values(channel, "T", "{\"1\":60,\"2\":60,\"3\":63}");
        values(channel, "S", "{\"4\":1}");
        await().until(() -> measured("tr_1").path("load").asDouble(0) == 61);
        await().until(
                        () ->
                                hub.get("/api/alarms/tr_1.hot")
                                        .json()
                                        .at("/data/status")
                                        .asString("")
                                        .equals("active"));
        assertThat(code(hub.send("DELETE", "/api/templates/transformer", "")))
                .isEqualTo("409 TEMPLATE_IN_USE");

        assertThat(hub.send("DELETE", "/api/models/tr_1", "").status()).isEqualTo(200);
        assertThat(code(hub.get("/api/models/tr_1"))).isEqualTo("404 MODEL_NOT_FOUND");
        assertThat(code(hub.get("/api/alarm-rules/tr_1.hot"))).isEqualTo("404 RULE_NOT_FOUND");
        assertThat(data("/api/status/system").get("total_models").asLong()).isEqualTo(models);
        assertThat(site.allKeys().stream().filter(key -> key.contains("tr_1")))
                .allMatch(key -> key.contains("history"));
        assertThat(hub.keyspace().check().run().drift()).isZero();
    }

    @Test
    void a_changed_template_changes_models_when_it_is_applied() {
        hub.send("POST", "/api/templates", TEMPLATE.replace("\"transformer\"", "\"other\""));
        hub.send(
                "POST",
                "/api/models/from-template",
                fromTemplate("tr_2", "").replace("transformer", "other"));
        hub.send(
                "PUT",
                "/api/templates/other",
                TEMPLATE.replace("\"transformer\"", "\"other\"").replace("/3", "/2"));
        values(channel, "T", "{\"1\":3,\"2\":3,\"3\":3}");
        await().until(() -> measured("tr_2").path("load").asDouble(0) == 3);
        TestHub.Reply applied = hub.send("POST", "/api/templates/other/apply", "");
        assertThat(applied.json().at("/data/applied").toString())
                .as(applied.body())
                .contains("tr_2");
        values(channel, "T", "{\"1\":3}");
        await().until(() -> measured("tr_2").path("load").asDouble(0) == 4.5);
    }

    // ---------------------------------------------------------------- bad input

    @Test
    void bad_models_are_named_and_change_nothing() {
        long version = data("/api/config/version").get("version").asLong();
        Map<String, String> wrong =
                Map.ofEntries(
                        Map.entry("{}", "400 MODEL_WITHOUT_MAPPINGS"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"a\":{\"expression\":\"b\"},\"b\":{\"expression\":\"a+1\"}}}}",
                                "400 VALIDATION_ERROR"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"a\":{\"expression\":\"nobody*2\"}}}}",
                                "400 UNKNOWN_NAME"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"a\":{\"expression\":\"1+\"}}}}",
                                "400 VALIDATION_ERROR"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"a\":{\"channel\":0,\"point_id\":1}}}}",
                                "400 VALIDATION_ERROR"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"a\":{\"channel\":1,\"point_id\":1,\"type\":\"C\"}}}}",
                                "400 VALIDATION_ERROR"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"_a\":{\"channel\":1,\"point_id\":1}}}}",
                                "400 VALIDATION_ERROR"),
                        Map.entry(
                                "{\"mappings\":{\"measurement\":{\"a\":{\"aggregate\":\"mode\",\"sources\":[]}}}}",
                                "400 VALIDATION_ERROR"),
                        Map.entry(
                                "{\"mappings\":{},\"alarms\":{\"x\":{\"field\":\"a\",\"operator\":\"?\"}}}",
                                "400 VALIDATION_ERROR"));
        wrong.forEach(
                (body, expected) ->
                        assertThat(code(hub.send("PUT", "/api/models/bad", body)))
                                .as(body)
                                .isEqualTo(expected));
        assertThat(code(hub.send("PUT", "/api/models/template", "{\"mappings\":{}}")))
                .isEqualTo("400 RESERVED_ID");
        assertThat(code(hub.send("PUT", "/api/templates/config", TEMPLATE))).isNotEqualTo("200 ");
        assertThat(code(hub.send("POST", "/api/models/nobody/measurement", "{\"a\":1}")))
                .isEqualTo("404 MODEL_NOT_FOUND");
        assertThat(
                        code(
                                hub.send(
                                        "POST",
                                        "/api/models/from-template",
                                        "{\"template_id\":\"no\",\"model_id\":\"x\"}")))
                .isEqualTo("404 TEMPLATE_NOT_FOUND");
        TestHub.Reply unknown =
                hub.send(
                        "POST",
                        "/api/models/from-template",
                        "{\"template_id\":\"transformer\",\"model_id\":\"x\",\"mappings\":{\"measurement\":{\"nope\":{\"channel\":1,\"point_id\":1},\"neither\":{\"channel\":1,\"point_id\":2}}}}");
        assertThat(code(unknown)).isEqualTo("400 UNKNOWN_NAME");
        assertThat(unknown.json().at("/error/details/names").toString())
                .isEqualTo("[\"nope\",\"neither\"]");
        assertThat(data("/api/config/version").get("version").asLong()).isEqualTo(version);
    }
}
