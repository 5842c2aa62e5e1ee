package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.feed.Fact;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class FactTextTest {
    private static String plain(String body) {
        return new String(FactText.plain(fact(body)), StandardCharsets.UTF_8);
    }

    private static String timed(String body) {
        return new String(FactText.timed(fact(body)), StandardCharsets.UTF_8);
    }

    private static Fact fact(String body) {
        return new Fact(0, 1, 1_700_000_000_000L, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void json_passes_on_one_line() {
        assertThat(plain("{\"a\":[1,\"é\\n\"]}")).isEqualTo("{\"a\":[1,\"é\\n\"]}");
        assertThat(plain("{\n\"a\" :\r\n 1}")).isEqualTo("{ \"a\" :   1}");
        assertThat(plain("12")).isEqualTo("12");
    }

    @Test
    void what_is_no_json_becomes_a_string() {
        assertThat(plain("{\"a\":")).isEqualTo("\"{\\\"a\\\":\"");
        assertThat(plain("1 2")).isEqualTo("\"1 2\"");
        assertThat(plain("data\n\nevent: x")).isEqualTo("\"data\\n\\nevent: x\"");
        assertThat(plain("")).isEqualTo("\"\"");
    }

    @Test
    void an_object_may_get_its_time() {
        assertThat(timed("{\"a\":1}")).isEqualTo("{\"at\":\"2023-11-14T22:13:20Z\",\"a\":1}");
        assertThat(timed("{ }")).isEqualTo("{\"at\":\"2023-11-14T22:13:20Z\" }");
        assertThat(timed("7")).isEqualTo("7");
    }
}
