package dev.millrace.hub.readings.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Problem;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

class VerbatimJsonTest {
    private static ValueDescriptor read(String json) {
        return EdgexJson.read(json.getBytes(StandardCharsets.UTF_8), ValueDescriptor.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"-10\"",
                "\"\"",
                "0",
                "1e2",
                "18446744073709551616.10",
                "-0.0",
                "true",
                "false",
                "{}",
                "[]",
                "{\"a\":[1.50,null,{\"b\":\"ü\\n\"}]}"
            })
    void any_value_comes_out_as_it_went_in(String json) {
        ValueDescriptor read = read("{\"name\":\"x\",\"min\":%s,\"max\":\"m\"}".formatted(json));
        assertThat(read.min()).hasToString(json);
        assertThat(EdgexJson.MAPPER.writeValueAsString(read))
                .isEqualTo("{\"name\":\"x\",\"min\":%s,\"max\":\"m\"}".formatted(json));
        assertThat(read.min())
                .isEqualTo(VerbatimJson.raw(json))
                .hasSameHashCodeAs(VerbatimJson.raw(json));
    }

    @Test
    void null_is_nothing() {
        assertThat(read("{\"min\":null}").min()).isNull();
    }

    @Test
    void blanks_between_parts_are_not_kept() {
        assertThat(read("{\"min\": { \"a\" : 1 } }").min()).hasToString("{\"a\":1}");
    }

    @Test
    void what_goes_too_deep_is_refused() {
        String fits = "[".repeat(100) + "]".repeat(100);
        assertThat(read("{\"min\":%s}".formatted(fits)).min()).hasToString(fits);
        assertThatThrownBy(() -> read("{\"min\":[%s]}".formatted(fits)))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("more than 100 levels deep");
    }

    @Test
    void a_plain_value_says_what_it_is() {
        assertThat(VerbatimJson.raw("\"a\\\"b\"").scalar()).contains("a\"b");
        assertThat(VerbatimJson.raw("1.50").scalar()).contains("1.50");
        assertThat(VerbatimJson.raw("{}").scalar()).isEmpty();
        assertThat(VerbatimJson.of("a\"b")).isEqualTo(VerbatimJson.raw("\"a\\\"b\""));
    }
}
