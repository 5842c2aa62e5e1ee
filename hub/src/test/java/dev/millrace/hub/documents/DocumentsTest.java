package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The seven calls as a client sees them, row by row of the description of their interface. */
@OnEachSite
final class DocumentsTest {
    @Parameter Site site;

    static final String ROOT = "/history/datastore/";

    private TestHub hub;

    String url() {
        return site.url();
    }

    @BeforeEach
    void start() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "mqtt.embedded.port=off");
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        } finally {
            hub.close();
        }
    }

    private Reply post(String call, String body) {
        return hub.send("POST", ROOT + call, body);
    }

    private String ok(String call, String body) {
        Reply reply = post(call, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        return reply.body();
    }

    private void set(String... keys) {
        for (String key : keys) {
            int colon = key.lastIndexOf(':');
            String namespace = colon < 0 ? "" : key.substring(0, colon);
            String id = key.substring(colon + 1);
            ok("set", "{\"value\":{\"namespace\":\"%s\",\"id\":\"%s\"}}".formatted(namespace, id));
        }
    }

    private List<String> keys(String call, String body) {
        List<String> keys = new ArrayList<>();
        for (JsonNode value : hub.send("POST", ROOT + call, body).json().get("values")) {
            keys.add(Document.key(value.get("namespace").asString(), value.get("id").asString()));
        }
        return keys;
    }

    /** Type and place of each mistake. */
    private List<String> mistakes(String call, String body) {
        Reply reply = post(call, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(422);
        List<String> mistakes = new ArrayList<>();
        for (JsonNode error : reply.json().get("detail")) {
            assertThat(error.get("msg").asString()).isNotEmpty();
            assertThat(error.has("input")).isTrue();
            mistakes.add(error.get("type").asString() + " " + error.get("loc"));
        }
        return mistakes;
    }

    // ---------------------------------------------------------------- the calls

    @Test
    void ping_says_pong_and_that_nobody_may_keep_it() {
        Reply reply = hub.get(ROOT + "ping");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"ping\":\"pong\"}");
        assertThat(reply.header("cache-control"))
                .isEqualTo("no-cache, no-store, must-revalidate, proxy-revalidate, max-age=0");
        assertThat(reply.header("pragma")).isEqualTo("no-cache");
        assertThat(reply.header("expires")).isEqualTo("0");
    }

    @Test
    void what_was_set_is_got_and_names_come_first() {
        String value = "{\"namespace\":\"a\",\"id\":\"x\",\"z\":[1,{\"b\":null}],\"a\":\"\"}";
        String sent = "{\"z\":[1, {\"b\":null}],\"id\":\"x\",\"a\":\"\",\"namespace\":\"a\"}";
        assertThat(ok("set", "{\"value\":" + sent + "}")).isEqualTo("{\"value\":" + value + "}");
        assertThat(ok("get", "{\"namespace\":\"a\",\"id\":\"x\"}"))
                .isEqualTo("{\"value\":" + value + "}");
        assertThat(ok("get", "{\"namespace\":\"\",\"id\":\"a:x\"}"))
                .isEqualTo("{\"value\":" + value + "}");
        assertThat(ok("get", "{\"namespace\":\"a\",\"id\":\"y\"}")).isEqualTo("{\"value\":null}");
        assertThat(ok("get", sent)).isEqualTo("{\"value\":" + value + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1e3 | 1000.0",
                "1.10 | 1.1",
                "-0.0 | -0.0",
                "-0 | 0",
                "12345678901234567890123 | 12345678901234567890123",
                "1e16 | 1e+16",
                "1e-7 | 1e-07",
                "12345678.5 | 12345678.5",
                "123456789012.25 | 123456789012.25",
                "0.0001 | 0.0001",
                "0.00001 | 1e-05",
                "1.5E300 | 1.5e+300",
                "true | true",
                "null | null",
                "\"\\u0000\\u00e9\\/\" | \"\\u0000é/\"",
                "{\"\":1,\"a\":{},\"\":2} | {\"\":2,\"a\":{}}",
                "[1,  [ ]] | [1,[]]"
            })
    void values_survive_and_numbers_are_normal(String sent, String kept) {
        String value = "{\"namespace\":\"a\",\"id\":\"x\",\"v\":%s}";
        String answer = "{\"value\":" + value.formatted(kept) + "}";
        assertThat(ok("set", "{\"value\":" + value.formatted(sent) + "}")).isEqualTo(answer);
        assertThat(ok("get", "{\"namespace\":\"a\",\"id\":\"x\"}")).isEqualTo(answer);
    }

    @Test
    void one_key_is_one_document_however_it_is_split() {
        ok("set", "{\"value\":{\"namespace\":\"a:b\",\"id\":\"c\",\"n\":1}}");
        ok("set", "{\"value\":{\"namespace\":\"a\",\"id\":\"b:c\",\"n\":2}}");
        assertThat(ok("get", "{\"namespace\":\"a:b\",\"id\":\"c\"}"))
                .isEqualTo("{\"value\":{\"namespace\":\"a\",\"id\":\"b:c\",\"n\":2}}");
        assertThat(keys("mget", "{\"namespace\":\"a\"}")).containsExactly("a:b:c");
    }

    @Test
    void several_are_read_by_ids_by_filter_or_both() {
        set("a:x", "a:y", "a:sub:y", "a:sub:deep:z", "ab:x", "a-b:x", "a", "é日本:ü");
        assertThat(keys("mget", "{\"namespace\":\"a\"}"))
                .containsExactly("a:sub:deep:z", "a:sub:y", "a:x", "a:y");
        assertThat(keys("mget", "{\"namespace\":\"a\",\"ids\":null,\"filter\":null}")).hasSize(4);
        assertThat(keys("mget", "{\"namespace\":\"a\",\"ids\":[]}")).isEmpty();
        assertThat(keys("mget", "{\"namespace\":\"a\",\"ids\":[\"y\",\"no\",\"x\",\"y\"]}"))
                .containsExactly("a:y", "a:x", "a:y");
        assertThat(keys("mget", "{\"namespace\":\"a\",\"ids\":[\"y\"],\"filter\":\"?\"}"))
                .containsExactly("a:y", "a:x", "a:y");
        assertThat(keys("mget", "{\"namespace\":\"a*\",\"filter\":\"*\"}"))
                .containsExactly("a-b:x", "a:sub:deep:z", "a:sub:y", "a:x", "a:y", "ab:x");
        assertThat(keys("mget", "{\"namespace\":\"\",\"filter\":\"*y\"}"))
                .containsExactly("a:sub:y", "a:y");
        assertThat(keys("mget", "{\"namespace\":\"\",\"filter\":\"*\"}"))
                .containsExactly(
                        "a", "a-b:x", "a:sub:deep:z", "a:sub:y", "a:x", "a:y", "ab:x", "é日本:ü");
        assertThat(keys("mget", "{\"namespace\":\"a\",\"filter\":\"\"}")).isEmpty();
        assertThat(keys("mget", "{\"namespace\":\"a\",\"filter\":\"x\"}")).containsExactly("a:x");
    }

    @Test
    void several_are_set_at_once_and_the_last_of_one_key_wins() {
        String values =
                "{\"values\":[{\"namespace\":\"a\",\"id\":\"x\",\"n\":1},"
                        + "{\"namespace\":\"b\",\"id\":\"y\"},"
                        + "{\"namespace\":\"a\",\"id\":\"x\",\"n\":2}]}";
        assertThat(ok("mset", values)).isEqualTo(values);
        assertThat(ok("get", "{\"namespace\":\"a\",\"id\":\"x\"}")).contains("\"n\":2");
        assertThat(ok("mset", "{\"values\":[]}")).isEqualTo("{\"values\":[]}");
    }

    @Test
    void one_bad_document_among_several_and_nothing_is_stored() {
        assertThat(
                        mistakes(
                                "mset",
                                "{\"values\":[{\"namespace\":\"a\",\"id\":\"x\"},7,"
                                        + "{\"namespace\":\"a/b\",\"id\":null}]}"))
                .containsExactly(
                        "model_attributes_type [\"body\",\"values\",1]",
                        "string_pattern_mismatch [\"body\",\"values\",2,\"namespace\"]",
                        "string_type [\"body\",\"values\",2,\"id\"]");
        assertThat(ok("mget", "{\"namespace\":\"\",\"filter\":\"*\"}"))
                .isEqualTo("{\"values\":[]}");
    }

    @Test
    void deletes_count_what_was_there() {
        set("a:x", "a:y", "a:z", "b:x", "c");
        assertThat(ok("delete", "{\"namespace\":\"a\",\"id\":\"x\"}")).isEqualTo("{\"count\":1}");
        assertThat(ok("delete", "{\"namespace\":\"a\",\"id\":\"x\"}")).isEqualTo("{\"count\":0}");
        assertThat(ok("delete", "{\"namespace\":\"a/#\",\"id\":\"x\"}")).isEqualTo("{\"count\":0}");
        assertThat(ok("mdelete", "{\"namespace\":\"a\"}")).isEqualTo("{\"count\":0}");
        assertThat(ok("mdelete", "{\"namespace\":\"a\",\"ids\":[]}")).isEqualTo("{\"count\":0}");
        assertThat(
                        ok(
                                "mdelete",
                                "{\"namespace\":\"a\",\"ids\":[\"y\",\"no\",\"y\"],\"filter\":\"y\"}"))
                .isEqualTo("{\"count\":1}");
        assertThat(ok("mdelete", "{\"namespace\":\"\",\"filter\":\"*\"}"))
                .isEqualTo("{\"count\":3}");
        assertThat(ok("mget", "{\"namespace\":\"\"}")).isEqualTo("{\"values\":[]}");
    }

    @Test
    void a_backup_by_mget_is_restored_by_mset() {
        String values =
                IntStream.range(0, 2500)
                        .mapToObj(
                                i ->
                                        "{\"namespace\":\"n%d:s\",\"id\":\"%d\",\"v\":%d}"
                                                .formatted(i % 7, i, i))
                        .collect(Collectors.joining(","));
        ok("mset", "{\"values\":[" + values + "]}");
        String backup = ok("mget", "{\"namespace\":\"\",\"filter\":\"*\"}");
        assertThat(ok("mdelete", "{\"namespace\":\"\",\"filter\":\"*\"}"))
                .isEqualTo("{\"count\":2500}");
        ok("mset", backup);
        assertThat(ok("mget", "{\"namespace\":\"\",\"filter\":\"*\"}")).isEqualTo(backup);
    }

    // ---------------------------------------------------------------- mistakes

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "get | {} | missing [\"body\",\"namespace\"];missing [\"body\",\"id\"]",
                "get | `` | missing [\"body\"]",
                "get | null | missing [\"body\"]",
                "get | [1] | model_attributes_type [\"body\"]",
                "get | {\"namespace\":1,\"id\":null} | string_type"
                        + " [\"body\",\"namespace\"];string_type [\"body\",\"id\"]",
                "delete | {\"id\":\"x\"} | missing [\"body\",\"namespace\"]",
                "mget | {\"namespace\":\"a\",\"ids\":\"x\"} | list_type [\"body\",\"ids\"]",
                "mget | {\"namespace\":\"a\",\"ids\":[\"x\",1]} | string_type [\"body\",\"ids\",1]",
                "mdelete | {\"namespace\":null,\"filter\":1} | string_type"
                        + " [\"body\",\"namespace\"];string_type [\"body\",\"filter\"]",
                "set | {} | missing [\"body\",\"value\"]",
                "set | {\"value\":null} | model_attributes_type [\"body\",\"value\"]",
                "set | {\"value\":{}} | missing [\"body\",\"value\",\"namespace\"];missing"
                        + " [\"body\",\"value\",\"id\"]",
                "set | {\"value\":{\"namespace\":\"a\",\"id\":\"\"}} | string_too_short"
                        + " [\"body\",\"value\",\"id\"]",
                "set | {\"value\":{\"namespace\":\"a\\n"
                        + "\",\"id\":\"x\"}} | string_pattern_mismatch"
                        + " [\"body\",\"value\",\"namespace\"]",
                "set | {\"value\":{\"namespace\":\"c.{x}\",\"id\":\"clock\"}} |"
                        + " string_pattern_mismatch [\"body\",\"value\",\"namespace\"]",
                "set | {\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"v\":1E400}} | finite_number"
                        + " [\"body\",\"value\",\"v\"]",
                "set | {\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"v\":\"\\ud800\"}} |"
                        + " string_unicode [\"body\",\"value\",\"v\"]",
                "mset | {\"values\":{}} | list_type [\"body\",\"values\"]",
                "mset | {} | missing [\"body\",\"values\"]"
            })
    void every_mistake_of_a_request_is_told(String call, String body, String mistakes) {
        assertThat(mistakes(call, body)).containsExactly(mistakes.split(";"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"v\":NaN}}",
                "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"v\":-Infinity}}",
                "{\"value\":",
                "{} {}",
                "  ",
                "nul"
            })
    void what_is_no_json_is_said_with_its_place(String body) {
        JsonNode error = post("set", body).json().get("detail").get(0);
        assertThat(error.get("type").asString()).isEqualTo("json_invalid");
        assertThat(error.get("msg").asString()).isEqualTo("JSON decode error");
        assertThat(error.get("input")).isEmpty();
        assertThat(error.at("/ctx/error").asString()).isNotEmpty();
        assertThat(error.get("loc").get(1).isIntegralNumber()).isTrue();
    }

    @Test
    void a_bad_name_is_shown_with_the_pattern() {
        JsonNode error =
                post("set", "{\"value\":{\"namespace\":\"a\",\"id\":\"x/y\"}}")
                        .json()
                        .get("detail")
                        .get(0);
        assertThat(error.get("msg").asString())
                .isEqualTo("String should match pattern '^[\\w\\-\\.\\:~_ \\(\\)]*$'");
        assertThat(error.at("/ctx/pattern").asString()).isEqualTo("^[\\w\\-\\.\\:~_ \\(\\)]*$");
        assertThat(error.get("input").asString()).isEqualTo("x/y");
    }

    @Test
    void nesting_is_refused_before_others_cannot_read_it() {
        String body = "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"v\":%s}}";
        ok("set", body.formatted("[".repeat(150) + "]".repeat(150)));
        assertThat(mistakes("set", body.formatted("[".repeat(900) + "]".repeat(900))).getFirst())
                .startsWith("nesting_too_deep ");
        Reply deepest = post("set", body.formatted("[".repeat(2000) + "]".repeat(2000)));
        assertThat(deepest.status()).isEqualTo(400);
        assertThat(deepest.body())
                .isEqualTo("{\"detail\":\"There was an error parsing the body\"}");
    }

    @Test
    void the_type_of_the_body_decides_whether_it_is_read() {
        byte[] query = "{\"namespace\":\"a\",\"id\":\"x\"}".getBytes(StandardCharsets.UTF_8);
        for (String type :
                List.of(
                        "application/json",
                        "Application/JSON; charset=utf-8",
                        "application/x+json")) {
            assertThat(hub.send("POST", ROOT + "get", type, query).body())
                    .isEqualTo("{\"value\":null}");
        }
        Reply plain = hub.send("POST", ROOT + "get", "text/plain", query);
        assertThat(plain.status()).isEqualTo(422);
        assertThat(plain.json().at("/detail/0/type").asString()).isEqualTo("model_attributes_type");
        byte[] marked = "\uFEFF{\"namespace\":\"a\",\"id\":\"x\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(hub.send("POST", ROOT + "get", "application/json", marked).status())
                .isEqualTo(200);
        Reply broken =
                hub.send(
                        "POST",
                        ROOT + "get",
                        "application/json",
                        new byte[] {'{', (byte) 0xC3, '}'});
        assertThat(broken.status()).isEqualTo(400);
        assertThat(broken.body()).isEqualTo("{\"detail\":\"There was an error parsing the body\"}");
    }

    @Test
    void other_methods_other_paths_and_a_slash_too_many() {
        for (String method : List.of("GET", "PUT", "DELETE", "HEAD", "OPTIONS")) {
            Reply reply = hub.send(method, ROOT + "get", "");
            assertThat(reply.status()).as(method).isEqualTo(405);
            assertThat(reply.header("allow")).isEqualTo("POST");
            assertThat(reply.body())
                    .isEqualTo(method.equals("HEAD") ? "" : "{\"detail\":\"Method Not Allowed\"}");
        }
        assertThat(hub.get("/history/nothing").body()).isEqualTo("{\"detail\":\"Not Found\"}");
        Reply slash = hub.send("POST", ROOT + "get/", "{}");
        assertThat(slash.status()).isEqualTo(307);
        assertThat(slash.header("location")).endsWith("/history/datastore/get");
    }
}
