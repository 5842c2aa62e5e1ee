package dev.millrace.hub.pubsub.channels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What is JSON, and where a value ends. */
class JsonSpansTest {

    private static boolean isJson(String text) {
        return !JsonSpans.only(text.getBytes(StandardCharsets.UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "0",
                "-0",
                "1.0",
                "1E5",
                "1e+5",
                "2.5e-3",
                "true",
                "false",
                "null",
                "12345678901234567890",
                " [ 1 , 2 ] ",
                "\n{\"a\" : {\"b\":[null]}}\r\t",
                "{\"a\":1,\"a\":2}",
                "\"\\ud800\"",
                "\"\\u00e4 \\\" \\\\ \\/ \\b\\f\\n\\r\\t\"",
                "\"ä€😀\"",
                "[[],{},[{}]]",
                "\"\u007f\u2028\""
            })
    void this_is_json(String text) {
        assertThat(isJson(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "1 2",
                "{}{}",
                "nul",
                "NaN",
                "Infinity",
                "-Infinity",
                "+1",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "1e+",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u12\"",
                "\"a\nb\"",
                "\"\t\"",
                "[1,]",
                "{\"a\":1,}",
                "{,}",
                "[,]",
                "{a:1}",
                "{1:1}",
                "// x\n1",
                "/* */1",
                "1//",
                "]",
                "}",
                "[}",
                "{]",
                "[1}",
                "\ufeff1",
                "[1 2]",
                "{\"a\" 1}",
                "tru",
                "truee",
                "0x10",
                "1\u00a0"
            })
    void this_is_none(String text) {
        assertThat(isJson(text)).isFalse();
    }

    @Test
    void bytes_that_are_no_utf_8_are_no_json() {
        assertThat(JsonSpans.only(new byte[] {'"', (byte) 0xC0, (byte) 0xAF, '"'}).isEmpty())
                .isTrue();
        assertThat(JsonSpans.only(new byte[] {'"', (byte) 0xFF, '"'}).isEmpty()).isTrue();
        assertThat(JsonSpans.only(new byte[] {0, '1'}).isEmpty()).isTrue();
    }

    @Test
    void a_thousand_levels_are_as_deep_as_it_goes() {
        assertThat(isJson("[".repeat(1000) + "]".repeat(1000))).isTrue();
        assertThat(isJson("[".repeat(1001) + "]".repeat(1001))).isFalse();
        assertThat(isJson("{\"a\":".repeat(1000) + "1" + "}".repeat(1000))).isTrue();
        assertThat(isJson("[".repeat(1_000_000))).isFalse();
    }

    private static Optional<String> read(String stored) {
        return Envelope.read(stored.getBytes(StandardCharsets.UTF_8))
                .map(
                        found ->
                                found.id()
                                        + " "
                                        + new String(
                                                found.bytes(),
                                                found.content().from(),
                                                found.content().to() - found.content().from(),
                                                StandardCharsets.UTF_8));
    }

    @Test
    void an_envelope_is_read_whoever_wrote_it() {
        assertThat(read("{\"id\":\"m-1\",\"content\":{\"a\":[1,2]}}"))
                .hasValue("m-1 {\"a\":[1,2]}");
        assertThat(read("{ \"id\": \"m-1\", \"content\": { \"text\": \"hello!\" } }"))
                .hasValue("m-1 { \"text\": \"hello!\" }");
        assertThat(read("{\"content\":null,\"other\":{\"id\":1},\"id\":\"m\",\"x\":[]}"))
                .hasValue("m null");
        assertThat(read("{\"id\":\"m\",\"content\":1,\"x\":2}")).hasValue("m 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "{}",
                "{\"id\":\"m\"}",
                "{\"content\":1}",
                "{\"id\":1,\"content\":1}",
                "{\"id\":\"M!\",\"content\":1}",
                "{\"id\":\"m\",\"content\":1",
                "{\"id\":\"m\",\"content\":}",
                "[\"id\",\"m\"]",
                "{\"id\"",
                "{\"id\":",
                "{\"id\":\"m\",",
                "{1:2}"
            })
    void what_is_no_envelope_is_left_out(String stored) {
        assertThat(read(stored)).isEmpty();
    }
}
