package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

final class KeyPatternKeyTest {
    private static final KeyPattern ALARM = KeyPattern.of("alarm:{rule:name}");
    private static final KeyPattern WATCH = KeyPattern.of("idx:alarm:watch:{source}:{field:name}");

    @ParameterizedTest
    @CsvSource({
        "event:device:{device},        123456789,  event:device:123456789",
        "reading:name:{name},          temperature, reading:name:temperature",
        "{id:id},                      57ba04a1189b95b8afcdafd7, 57ba04a1189b95b8afcdafd7",
        "comsrv:{channel:number}:T,    1,          comsrv:1:T",
        "sync:lock:{resource},         a:b {c} é,  sync:lock:a:b {c} é",
        "{key:documentkey},            group:id,   group:id",
    })
    void a_key_is_built_and_taken_apart_again(String text, String value, String key) {
        KeyPattern pattern = KeyPattern.of(text);

        assertThat(pattern.key(value)).isEqualTo(key);
        assertThat(pattern.matches(key)).isTrue();
        assertThat(pattern.matches(key.getBytes(UTF_8))).isTrue();
        assertThat(pattern.values(key)).contains(List.of(value));
        assertThat(pattern.refusal(value)).isEmpty();
    }

    @Test
    void the_last_colon_divides_a_watch_key() {
        assertThat(WATCH.parseable()).isTrue();
        assertThat(WATCH.key("comsrv:1:T", "101")).isEqualTo("idx:alarm:watch:comsrv:1:T:101");
        assertThat(WATCH.values("idx:alarm:watch:comsrv:1:T:101"))
                .contains(List.of("comsrv:1:T", "101"));
    }

    @Test
    void variables_are_cut_off_from_both_sides_of_the_one_that_may_be_anything() {
        KeyPattern pattern = KeyPattern.of("a:{x:name}::{y}:{z:number}.end");

        assertThat(pattern.parseable()).isTrue();
        assertThat(pattern.values(pattern.key("1", "::2.end:", "-3")))
                .contains(List.of("1", "::2.end:", "-3"));
        assertThat(pattern.values("a:1:2:3.end")).isEmpty();
        assertThat(pattern.values("a:1::2:x.end")).isEmpty();
        assertThat(pattern.values("a:1::2:3")).isEmpty();
        assertThat(pattern.values("a:1::3.end")).isEmpty();
        assertThat(pattern.values("a:.end")).isEmpty();
        assertThat(pattern.values("")).isEmpty();
    }

    @Test
    void a_literal_of_several_letters_divides_by_the_first_of_them() {
        KeyPattern pattern = KeyPattern.of("{a:name}é→{b:name}");

        assertThat(pattern.values("xé→y")).contains(List.of("x", "y"));
        assertThat(pattern.values("xéy")).isEmpty();
        assertThat(pattern.values("xé")).isEmpty();
    }

    @Test
    void an_ambiguous_pattern_is_recognised_but_not_taken_apart() {
        KeyPattern pattern = KeyPattern.of("x:{a}:{b}");

        assertThat(pattern.parseable()).isFalse();
        assertThat(pattern.matches("x:1:2:3")).isTrue();
        assertThat(pattern.matches("x:1")).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> pattern.values("x:1:2:3"))
                .withMessageContaining("cannot be taken apart");
    }

    @Test
    void values_may_come_from_a_function_of_the_variable() {
        Map<String, String> values = Map.of("field", "101", "source", "comsrv:1:T");

        assertThat(WATCH.key(values::get)).isEqualTo("idx:alarm:watch:comsrv:1:T:101");
        assertThatExceptionOfType(BadKeyException.class)
                .isThrownBy(() -> WATCH.key(Map.of("source", "x")::get))
                .withMessageContaining("cannot be the field");
    }

    @Test
    void a_value_outside_its_grammar_makes_no_key() {
        assertThatExceptionOfType(BadKeyException.class)
                .isThrownBy(() -> ALARM.key("rule:index"))
                .withMessage(
                        "\"rule:index\" cannot be the rule of alarm:{rule:name}: it must be"
                                + " letters, digits and _ . ~ -, 1 to 255 bytes")
                .satisfies(
                        refused -> {
                            assertThat(refused.pattern()).isEqualTo("alarm:{rule:name}");
                            assertThat(refused.variable()).isEqualTo("rule");
                            assertThat(refused.value()).isEqualTo("rule:index");
                            assertThat(refused.allowed()).startsWith("letters, digits");
                        });
        assertThat(ALARM.refusal("rule:index"))
                .hasValueSatisfying(
                        sentence -> assertThat(sentence).contains("cannot be the rule"));
        assertThat(ALARM.refusal("")).isPresent();
    }

    @Test
    void a_refused_value_is_shortened_and_cannot_forge_a_log_line() {
        BadKeyException refused = null;
        try {
            ALARM.key("a\nERROR b\uD83D" + "x".repeat(10_000));
        } catch (BadKeyException e) {
            refused = e;
        }
        assertThat(requireNonNull(refused).value())
                .startsWith("a\\u000aERROR b\\ud83dxxx")
                .endsWith("…")
                .hasSizeLessThan(80);
        assertThat(refused.getMessage()).doesNotContain("\n").hasSizeLessThan(200);
    }

    @Test
    void the_number_of_values_must_be_right() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WATCH.key("x"))
                .withMessage(
                        "idx:alarm:watch:{source}:{field:name} takes 2 values [source, field], not"
                                + " 1");
        assertThatIllegalArgumentException().isThrownBy(() -> WATCH.refusal("x", "y", "z"));
    }

    @ParameterizedTest
    @CsvSource({
        "alarm:{rule:name},                      alarm:%s,       255",
        "c.{{channel:name}}.m.{clock:number},    c.{%s}.m.1,     255",
        "c.{{channel:name}}.m.{clock:number},    c.{x}.m.%s,     20",
        "x:{a}:{b},                              x:%s,           2049",
    })
    void a_key_with_a_value_that_is_too_long_is_none_of_the_pattern(
            String text, String key, int most) {
        KeyPattern pattern = KeyPattern.of(text);
        String fits = most == 2049 ? "1".repeat(1024) + ":" + "1".repeat(1024) : "1".repeat(most);

        assertThat(pattern.matches(key.formatted(fits))).isTrue();
        assertThat(pattern.matches(key.formatted(fits + "1"))).isFalse();
        assertThat(pattern.matches(key.formatted("1" + fits))).isFalse();
        assertThat(PatternSet.of(List.of(pattern)).matching(key.formatted(fits))).hasSize(1);
        assertThat(PatternSet.of(List.of(pattern)).matching(key.formatted(fits + "1"))).isEmpty();
    }

    @Test
    void a_key_that_is_not_unicode_matches_nothing() {
        KeyPattern pattern = KeyPattern.of("event:device:{device}");

        assertThat(pattern.matches("event:device:\uD83D")).isFalse();
        assertThat(pattern.values("event:device:\uD83D")).isEmpty();
        assertThat(PatternSet.of(List.of(pattern)).matching("event:device:\uD83D")).isEmpty();
    }

    @Test
    void a_variable_that_may_be_empty_may_be_empty() {
        Grammars mine =
                Grammars.standard().with(Grammar.chars("a-z").optional().named("maybe", "letters"));
        KeyPattern pattern = KeyPattern.of("x:{a:maybe}:{b:maybe}", mine);

        assertThat(pattern.key("", "")).isEqualTo("x::");
        assertThat(pattern.values("x::b")).contains(List.of("", "b"));
        assertThat(pattern.meet(KeyPattern.of("x::"))).contains("x::");
    }
}
