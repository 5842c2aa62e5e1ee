package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Quiet;
import dev.millrace.hub.TestHub.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What cannot be taken gets the status and the code that the reference lists, and changes nothing.
 */
class BadInputTest {
    private static Plant plant;
    private static Client client;
    private static Somebody somebody;

    @BeforeAll
    static void start() {
        plant = Plant.empty(Quiet.settings());
        client = plant.client();
        somebody = plant.somebody();
        client.rule("watched", 1, 101, ">", "");
        client.value(1, 101, "20");
    }

    @AfterAll
    static void stop() {
        plant.close();
    }

    /** A call that is refused as a whole. */
    private static void refused(
            String method, String path, String body, int status, Set<String> codes) {
        Map<String, Object> before = somebody.everything();
        Reply reply = client.send(method, path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        JsonNode json = reply.json();
        assertThat(json.path("success").asBoolean(true)).isFalse();
        assertThat(json.path("error").path("code").asString("")).as(reply.body()).isIn(codes);
        assertThat(json.path("error").path("message").asString("")).isNotBlank();
        assertThat(json.path("timestamp").asString("")).isNotBlank();
        assertThat(json.path("request_id").asString("")).isNotBlank();
        assertThat(somebody.everything()).isEqualTo(before);
    }

    private static void refused(String method, String path, String body, int status, String code) {
        refused(method, path, body, status, Set.of(code));
    }

    private static final Set<String> INVALID = Set.of("INVALID_PARAMETER", "VALIDATION_ERROR");

    @Test
    void one_bad_point_does_not_hold_up_the_others() {
        client.value(2, 101, "7");
        JsonNode data = client.post("/api/channels/2/T", "{\"101\":\"abc\",\"102\":3.2}");
        assertThat(data.path("written").asInt()).isEqualTo(1);
        assertThat(data.path("rejected").size()).isEqualTo(1);
        JsonNode rejected = data.path("rejected").get(0);
        assertThat(rejected.path("point_id").asString()).isEqualTo("101");
        assertThat(rejected.path("reason").asString("")).isNotBlank();
        assertThat(somebody.hash("comsrv:2:T"))
                .containsEntry("101", "7")
                .containsEntry("102", "3.2");
    }

    /** Not a value of a point: the others of the same write are kept. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"NaN\"",
                "\"Infinity\"",
                "\"-inf\"",
                "1e400",
                "-1e400",
                "\"1e400\"",
                "\"\"",
                "\" \"",
                "null",
                "\"0x10\"",
                "\"1,5\"",
                "\"1 \"",
                "{}",
                "[]"
            })
    void is_not_the_value_of_a_point(String value) {
        client.value(3, 101, "7");
        Map<String, String> before = somebody.hash("comsrv:3:T");
        Reply reply = client.send("POST", "/api/channels/3/T", "{\"101\":" + value + "}");
        if (reply.status() == 200) {
            assertThat(reply.json().path("data").path("written").asInt(-1)).isZero();
            assertThat(
                            reply.json()
                                    .path("data")
                                    .path("rejected")
                                    .get(0)
                                    .path("point_id")
                                    .asString())
                    .isEqualTo("101");
        } else {
            assertThat(reply.status()).as(reply.body()).isEqualTo(400);
            assertThat(reply.json().path("error").path("code").asString()).isIn(INVALID);
        }
        assertThat(somebody.hash("comsrv:3:T")).isEqualTo(before);
        client.post("/api/channels/3/T", "{\"101\":" + value + ",\"102\":8}");
        assertThat(somebody.hash("comsrv:3:T")).containsEntry("101", "7").containsEntry("102", "8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"_x", "_updated_at", "a:b", "", "0", "01", "-1", "4294967296", "1.5", "x"})
    void is_not_the_number_of_a_point(String point) {
        Map<String, Object> before = somebody.everything();
        Reply reply = client.send("POST", "/api/channels/4/T", "{\"" + point + "\":1}");
        if (reply.status() == 200) {
            assertThat(reply.json().path("data").path("written").asInt(-1)).isZero();
            assertThat(reply.json().path("data").path("rejected").size()).isEqualTo(1);
        } else {
            assertThat(reply.status()).as(reply.body()).isEqualTo(400);
            assertThat(reply.json().path("error").path("code").asString()).isIn(INVALID);
        }
        assertThat(somebody.everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "01", "65536", "-1", "1.5", "x", "1%3A2", "99999999999999999999"})
    void is_not_a_channel(String channel) {
        refused("POST", "/api/channels/" + channel + "/T", "{\"1\":1}", 400, INVALID);
        refused("GET", "/api/channels/" + channel + "/T", "", 400, INVALID);
        refused(
                "POST",
                "/api/telemetry/batch",
                "{\"" + channel.replace("%3A", ":") + "\":{\"T\":{\"1\":1}}}",
                400,
                INVALID);
    }

    @Test
    void a_type_that_does_not_exist_is_refused() {
        Map<String, Object> before = somebody.everything();
        assertThat(client.send("POST", "/api/channels/1/X", "{\"1\":1}").status()).isIn(400, 404);
        assertThat(
                        client.send("POST", "/api/telemetry/batch", "{\"1\":{\"X\":{\"1\":1}}}")
                                .status())
                .isEqualTo(400);
        assertThat(somebody.everything()).isEqualTo(before);
    }

    @Test
    void a_thousand_points_are_taken_and_one_more_is_not() {
        assertThat(client.post("/api/channels/5/T", points(1000)).path("written").asInt())
                .isEqualTo(1000);
        Map<String, Object> before = somebody.everything();
        Reply reply = client.send("POST", "/api/channels/5/T", points(1001));
        assertThat(reply.status()).as(reply.body()).isEqualTo(413);
        assertThat(reply.json().path("success").asBoolean(true)).isFalse();
        assertThat(reply.json().path("error").path("code").asString("")).isNotBlank();
        assertThat(somebody.everything()).isEqualTo(before);
    }

    private static String points(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(point -> "\"" + point + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/channels/1/T", "/api/alarm-rules", "/api/telemetry/batch"})
    void a_body_of_more_than_a_mebibyte_is_refused(String path) {
        Map<String, Object> before = somebody.everything();
        Reply reply = client.send("POST", path, "{}" + " ".repeat(1024 * 1024 - 1));
        assertThat(reply.status()).isEqualTo(413);
        assertThat(somebody.everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "", "{\"1\":NaN}", "{\"1\":1}x", "\u0000"})
    void is_not_json(String body) {
        refused("POST", "/api/channels/1/T", body.isEmpty() ? " " : body, 400, "INVALID_JSON");
    }

    @Test
    void a_point_must_not_be_there_twice() {
        Set<String> codes = Set.of("INVALID_JSON", "VALIDATION_ERROR");
        refused("POST", "/api/channels/1/T", "{\"1\":1,\"1\":2}", 400, codes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "\"x\"", "null"})
    void is_not_an_object(String body) {
        Set<String> codes = Set.of("INVALID_JSON", "INVALID_PARAMETER", "VALIDATION_ERROR");
        for (String path :
                Set.of("/api/channels/1/T", "/api/telemetry/batch", "/api/alarm-rules")) {
            refused("POST", path, body, 400, codes);
        }
    }

    @Test
    void another_type_of_content_is_refused() {
        Map<String, Object> before = somebody.everything();
        Reply reply =
                client.send("POST", "/api/channels/1/T", "{\"1\":1}", "Content-Type", "text/xml");
        assertThat(reply.status()).as(reply.body()).isEqualTo(415);
        assertThat(somebody.everything()).isEqualTo(before);
    }

    @Test
    void a_method_that_a_path_does_not_have_is_refused_with_those_that_it_has() {
        Reply reply = client.send("PATCH", "/api/alarms/watched", "{}");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.headers().get("allow").getFirst()).contains("GET").contains("DELETE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rule", "events", "index", "config", "active", "watch", "triggered"})
    void is_a_reserved_id_of_a_rule(String id) {
        refused("POST", "/api/alarm-rules", rule(id, ""), 400, "RESERVED_ID");
        refused("PUT", "/api/alarm-rules/" + id, rule(id, ""), 400, "RESERVED_ID");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", "", " ", "_a", "-a", ".a", "a b", "ü", "a/b"})
    void is_not_the_id_of_a_rule(String id) {
        refused("POST", "/api/alarm-rules", rule(id, ""), 400, INVALID);
    }

    @Test
    void an_id_of_129_letters_is_too_long() {
        refused("POST", "/api/alarm-rules", rule("a".repeat(129), ""), 400, INVALID);
    }

    /** Members that make a rule invalid, one at a time. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"operator\"|\"~\"",
                "\"operator\"|\"\"",
                "\"operator\"|1",
                "\"threshold\"|\"abc\"",
                "\"threshold\"|null",
                "\"threshold\"|\"NaN\"",
                "\"threshold\"|\"\"",
                "\"threshold\"|1e400",
                "\"threshold\"|{}",
                "\"source_key\"|\"\"",
                "\"source_key\"|\"comsrv:1:X\"",
                "\"source_key\"|\"comsrv:0:T\"",
                "\"source_key\"|\"comsrv:01:T\"",
                "\"source_key\"|\"comsrv:65536:T\"",
                "\"source_key\"|\"alarm:events\"",
                "\"source_key\"|\"comsrv:1:T:q\"",
                "\"source_key\"|null",
                "\"field\"|\"a:b\"",
                "\"field\"|\"\"",
                "\"field\"|\"_updated_at\"",
                "\"field\"|null",
                "\"alarm_level\"|\"Loud\"",
                "\"on_delay\"|\"soon\"",
                "\"on_delay\"|-1",
                "\"off_delay\"|-1",
                "\"deadband\"|\"x\"",
                "\"deadband\"|-1",
                "\"clear_threshold\"|\"x\"",
                "\"repeat_count\"|0",
                "\"repeat_count\"|\"x\"",
                "\"no_data_after\"|-1",
                "\"on_bad_quality\"|\"perhaps\"",
                "\"operator\"|\"between\"",
                "\"schedule\"|\"at noon\"",
                "\"suppressed_by\"|\"a:b\""
            })
    void is_not_part_of_a_rule(String name, String value) {
        refused("POST", "/api/alarm-rules", rule("odd", "," + name + ":" + value), 400, INVALID);
    }

    /** A later member of the same name would be invalid JSON, so the first is left out. */
    private static String rule(String id, String more) {
        StringBuilder text = new StringBuilder("{\"id\":\"").append(id).append('"');
        Map.of("source_key", "\"comsrv:1:T\"", "field", "\"101\"", "threshold", "85")
                .forEach(
                        (name, value) -> {
                            if (!more.startsWith(",\"" + name + "\"")) {
                                text.append(",\"").append(name).append("\":").append(value);
                            }
                        });
        return text.append(more).append('}').toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"source_key", "field", "threshold"})
    void a_rule_must_have(String name) {
        String whole = rule("odd", ",\"" + name + "\":1");
        refused(
                "POST",
                "/api/alarm-rules",
                whole.replace(",\"" + name + "\":1", ""),
                400,
                "VALIDATION_ERROR");
    }

    @Test
    void what_is_legal_although_it_looks_odd_is_taken() {
        String text =
                """
                {"id":"a.B-c_9","source_key":"comsrv:65535:S","field":"4294967295",\
                "threshold":"0","alarm_title":"","later":{"kept":[1]}}\
                """;
        assertThat(client.send("POST", "/api/alarm-rules", text).status()).isEqualTo(201);
        JsonNode rule = client.get("/api/alarm-rules/a.B-c_9");
        assertThat(rule.path("later").toString()).isEqualTo("{\"kept\":[1]}");
        assertThat(somebody.hash("alarm:rule:a.B-c_9"))
                .containsEntry("threshold", "0")
                .containsEntry("alarm_title", "");
        client.data("DELETE", "/api/alarm-rules/a.B-c_9", "");
    }

    @Test
    void the_path_of_a_rule_and_its_body_must_say_the_same_id() {
        refused("PUT", "/api/alarm-rules/watched", rule("other", ""), 400, INVALID);
    }

    @Test
    void a_number_of_a_rule_must_not_be_patched_to_text() {
        refused("PATCH", "/api/alarm-rules/watched", "{\"threshold\":\"abc\"}", 400, INVALID);
        refused("PATCH", "/api/alarm-rules/watched", "{\"operator\":\"~\"}", 400, INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/api/alarms/nobody,ALARM_NOT_FOUND",
        "DELETE,/api/alarms/nobody,ALARM_NOT_FOUND",
        "POST,/api/alarms/nobody/acknowledge,ALARM_NOT_FOUND",
        "POST,/api/alarms/nobody/ack,ALARM_NOT_FOUND",
        "POST,/api/alarms/nobody/unshelve,ALARM_NOT_FOUND",
        "POST,/api/alarms/nobody/reset,ALARM_NOT_FOUND",
        "POST,/api/alarms/watched/acknowledge,ALARM_NOT_FOUND",
        "GET,/api/alarm-rules/nobody,RULE_NOT_FOUND",
        "DELETE,/api/alarm-rules/nobody,RULE_NOT_FOUND",
        "POST,/api/alarm-rules/nobody/enable,RULE_NOT_FOUND",
        "POST,/api/alarm-rules/nobody/disable,RULE_NOT_FOUND",
        "GET,/api/channels/77,CHANNEL_NOT_FOUND",
        "GET,/api/channels/77/status,CHANNEL_NOT_FOUND",
        "GET,/api/channels/1/T/999,POINT_NOT_FOUND"
    })
    void is_not_there(String method, String path, String code) {
        refused(method, path, method.equals("POST") ? "{}" : "", 404, code);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/alarms?status=loud",
        "/api/alarms?level=loud",
        "/api/alarms?size=x",
        "/api/alarms?size=0",
        "/api/alarms?page=0",
        "/api/alarm-rules?page=-1",
        "/api/alarm-events?since_seq=x",
        "/api/alarm-events?limit=0"
    })
    void is_not_a_question(String path) {
        refused("GET", path, "", 400, INVALID);
    }
}
