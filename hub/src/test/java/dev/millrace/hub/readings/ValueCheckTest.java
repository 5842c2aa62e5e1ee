package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.hub.readings.kept.VerbatimJson;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueCheckTest {
    private static boolean fits(
            @Nullable String type, @Nullable String min, @Nullable String max, String value) {
        return ValueCheck.problem(descriptor(type, min, max), value).isEmpty();
    }

    private static ValueDescriptor descriptor(
            @Nullable String type, @Nullable String min, @Nullable String max) {
        return new ValueDescriptor(
                null,
                0,
                null,
                0,
                0,
                "power",
                min == null ? null : VerbatimJson.raw(min),
                max == null ? null : VerbatimJson.raw(max),
                null,
                type,
                null,
                null,
                null,
                null,
                null);
    }

    @ParameterizedTest
    @CsvSource({
        "B, 1",
        "B, t",
        "B, T",
        "B, TRUE",
        "B, true",
        "B, True",
        "B, 0",
        "B, f",
        "B, F",
        "B, FALSE",
        "B, false",
        "B, False",
        "F, 1",
        "F, -1.5",
        "F, +.5",
        "F, 1.",
        "F, 1e3",
        "F, 1.5E-3",
        "F, NaN",
        "F, Inf",
        "F, -inf",
        "F, Infinity",
        "F, 0x1p-2",
        "F, 4.9e-324",
        "I, 0",
        "I, -5",
        "I, +5",
        "I, 007",
        "I, 9223372036854775807",
        "I, -9223372036854775808",
        "S, x",
        "S, ' '",
        "J, '{\"a\":[1,2]}'",
        "J, 3",
        "J, 'null'",
        "J, ' [] '",
        "J, '\"x\"'"
    })
    void a_value_of_its_type_is_taken(String type, String value) {
        assertThat(ValueCheck.problem(descriptor(type, null, null), value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "B, yes",
        "B, tRUE",
        "B, 2",
        "B, ''",
        "F, ''",
        "F, x",
        "F, ' 1'",
        "F, 1.0f",
        "F, 1d",
        "F, 1e",
        "F, .",
        "F, 1e400",
        "F, 0x1",
        "F, 1_000",
        "F, '1,5'",
        "F, ٣",
        "I, ''",
        "I, 1.0",
        "I, 1e3",
        "I, 0x10",
        "I, 9223372036854775808",
        "I, ' 1'",
        "I, ٣",
        "S, ''",
        "J, ''",
        "J, '{'",
        "J, '{} x'",
        "J, '1 2'",
        "J, '{''a'':1}'",
        "J, ' '",
        "Int16, 1",
        "Float32, 1",
        "b, true",
        "'', 1"
    })
    void another_is_refused(String type, String value) {
        assertThat(ValueCheck.problem(descriptor(type, null, null), value)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "F, '\"0\"', '\"100\"'",
        "F, 0, 100",
        "F, 0.0, 1e2",
        "I, '\"0\"', '\"100\"'",
        "I, 0, 100",
        "I, 0.0, 1e2",
        "I, '\"0\"', 100"
    })
    void a_bound_is_a_text_or_a_number_and_belongs_to_what_is_allowed(
            String type, String min, String max) {
        assertThat(fits(type, min, max, "0")).isTrue();
        assertThat(fits(type, min, max, "50")).isTrue();
        assertThat(fits(type, min, max, "100")).isTrue();
        assertThat(fits(type, min, max, "-1")).isFalse();
        assertThat(fits(type, min, max, "101")).isFalse();
        assertThat(fits(type, min, null, "101")).isTrue();
        assertThat(fits(type, null, max, "-1")).isTrue();
    }

    @Test
    void a_decimal_is_compared_as_one_and_a_whole_number_exactly() {
        assertThat(fits("F", null, "100", "100.0001")).isFalse();
        assertThat(fits("I", null, "\"9223372036854775806\"", "9223372036854775807")).isFalse();
        assertThat(fits("I", "10.5", null, "11")).isTrue();
        assertThat(fits("I", "10.5", null, "10")).isFalse();
    }

    @Test
    void an_empty_bound_is_none() {
        assertThat(fits("F", "\"\"", "\"\"", "5")).isTrue();
        assertThat(fits("I", "\"\"", "\"\"", "5")).isTrue();
    }

    @Test
    void infinity_is_out_of_bounds_and_what_is_no_number_is_not() {
        assertThat(fits("F", "0", "100", "Inf")).isFalse();
        assertThat(fits("F", "0", "100", "-Inf")).isFalse();
        assertThat(fits("F", "0", "100", "NaN")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"F, '\"high\"'", "I, '\"high\"'", "F, '[1]'", "I, true", "I, 1e99999999999"})
    void a_bound_that_is_no_number_lets_nothing_pass(String type, String bound) {
        assertThat(ValueCheck.problem(descriptor(type, null, bound), "5"))
                .hasValueSatisfying(
                        why -> assertThat(why).contains(bound).contains("not a number"));
    }

    @Test
    void the_sentence_says_which_value_and_why() {
        assertThat(ValueCheck.problem(descriptor("I", null, "5"), "6"))
                .contains("The value of 'power' is out of bounds: the bound is 5.");
        assertThat(ValueCheck.problem(descriptor("Int16", null, null), "6"))
                .contains(
                        "Unknown type: 'power' has the type 'Int16'; B, F, I, S and J can be"
                                + " checked.");
        assertThat(ValueCheck.problem(descriptor("S", null, null), null))
                .contains("The value of 'power' is empty.");
    }
}
