package dev.millrace.hub.edgex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.millrace.hub.http.Problem;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

class EdgexJsonTest {
    record Thing(
            @Nullable String name,
            long origin,
            @Nullable List<String> labels,
            @JsonInclude(JsonInclude.Include.ALWAYS) @JsonProperty("resendcount")
                    int resendCount) {}

    private static Thing read(String text) {
        return EdgexJson.read(text.getBytes(StandardCharsets.UTF_8), Thing.class);
    }

    @Test
    void keys_in_any_case_unknown_ones_and_null() {
        Thing thing =
                read(
                        "{\"NAME\":\"a\",\"resendCount\":3,\"_id\":{},\"labels\":null,\"origin\":null}");
        assertThat(thing).isEqualTo(new Thing("a", 0, null, 3));
    }

    @Test
    void nanoseconds_survive() {
        assertThat(read("{\"origin\":1590508601358048800}").origin())
                .isEqualTo(1590508601358048800L);
    }

    @Test
    void what_follows_the_first_value_is_ignored() {
        assertThat(read("{\"name\":\"a\"} {broken").name()).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "null",
                "[]",
                "\"text\"",
                "{\"name\":1}",
                "{\"name\":true}",
                "{\"name\":1.5}",
                "{\"name\":{}}",
                "{\"origin\":\"1\"}",
                "{\"origin\":\"\"}",
                "{\"origin\":1.5}",
                "{\"origin\":9223372036854775808}",
                "{\"origin\":true}",
                "{\"labels\":\"a\"}",
                "{\"labels\":[1]}",
                "{\"name\":\"a\""
            })
    void what_is_no_json_or_of_another_type_is_refused(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(Problem.class);
    }

    @Test
    void what_is_empty_is_left_away() {
        assertThat(EdgexJson.MAPPER.writeValueAsString(new Thing("", 0, List.of(), 0)))
                .isEqualTo("{\"resendcount\":0}");
    }
}
