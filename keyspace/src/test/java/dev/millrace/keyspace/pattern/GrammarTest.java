package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GrammarTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    any         | x
                    any         | with blank : { } * ? and é 漢 😀
                    name        | temp_high_1
                    name        | a
                    name        | A.b~c-d_9
                    token       | EB9382CA-0376-4558-B271-EA230BDB7EAF
                    token       | 236712hhl3213yu21_hash
                    token       | !"#$%&'()*+,-./09;<=>?@AZ[\\]^_`az|~
                    tag         | my channel: 1, é
                    path        | a
                    path        | brewblox-ui-store:dashboard-items
                    path        | a:b:c
                    documentkey | id
                    documentkey | group:id
                    documentkey | group:subgroup:id
                    documentkey | a::b
                    documentkey | :id
                    documentkey | brewblox-ui-store:dashboard-items:117a2504-85b7-43c4-a48d-37bf5d6821cd
                    number      | 0
                    number      | 12345678901234567890
                    number      | -9007199254740991
                    uuid        | EB9382CA-0376-4558-B271-EA230BDB7EAF
                    uuid        | 117a2504-85b7-43c4-a48d-37bf5d6821cd
                    objectid    | 57ba04a1189b95b8afcdafd7
                    objectid    | 57BA04A1189B95B8AFCDAFD7
                    id          | 57ba04a1189b95b8afcdafd7
                    id          | 117a2504-85b7-43c4-a48d-37bf5d6821cd
                    date        | 20250807
                    hour        | 00
                    hour        | 2025080712
                    """)
    void a_standard_grammar_accepts(String grammar, String value) {
        assertThat(standard(grammar).matches(value)).isTrue();
        assertThat(standard(grammar).matches(value.getBytes(UTF_8))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    any         | ''
                    name        | ''
                    name        | a:b
                    name        | a b
                    name        | é
                    name        | a{b
                    name        | a/b
                    token       | ''
                    token       | a:b
                    token       | {a}
                    token       | a b
                    token       | é
                    tag         | ''
                    tag         | a}b
                    tag         | {
                    path        | ''
                    path        | :a
                    path        | a:
                    path        | a::b
                    documentkey | ''
                    documentkey | group:
                    documentkey | :
                    documentkey | a b
                    documentkey | {a}
                    documentkey | a:é
                    number      | ''
                    number      | -
                    number      | +1
                    number      | 1.5
                    number      | 1-
                    number      | 123456789012345678901
                    uuid        | ''
                    uuid        | 117a2504-85b7-43c4-a48d-37bf5d6821c
                    uuid        | 117a2504-85b7-43c4-a48d-37bf5d6821cdd
                    uuid        | 117a2504185b7-43c4-a48d-37bf5d6821cd
                    uuid        | 117g2504-85b7-43c4-a48d-37bf5d6821cd
                    uuid        | 117a2504-85b7-43c4-a48d-37bf5d6821é
                    objectid    | 57ba04a1189b95b8afcdafd
                    objectid    | 57ba04a1189b95b8afcdafd7a
                    objectid    | 57ba04a1189b95b8afcdafdx
                    id          | event
                    date        | 2025-08-07
                    date        | 2025080
                    hour        | 1
                    hour        | 123
                    hour        | 20250807T12
                    hour        | 20250807:12
                    """)
    void a_standard_grammar_rejects(String grammar, String value) {
        assertThat(standard(grammar).matches(value)).isFalse();
        assertThat(standard(grammar).matches(value.getBytes(UTF_8))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "any,1024",
        "name,255",
        "token,255",
        "tag,1024",
        "path,1024",
        "documentkey,1024",
        "number,20"
    })
    void a_value_may_be_as_long_as_its_grammar_says_and_no_longer(String grammar, int most) {
        assertThat(standard(grammar).matches("1".repeat(most))).isTrue();
        assertThat(standard(grammar).matches("1".repeat(most + 1))).isFalse();
        assertThat(standard(grammar).matches("1".repeat(most + 1).getBytes(UTF_8))).isFalse();
        assertThat(standard(grammar).maxBytes()).isEqualTo(most);
    }

    @Test
    void length_is_counted_in_bytes() {
        assertThat(standard("any").matches("é".repeat(512))).isTrue();
        assertThat(standard("any").matches("é".repeat(513))).isFalse();
    }

    @Test
    void half_of_a_surrogate_pair_is_no_text() {
        assertThat(standard("any").matches("a\uD83D")).isFalse();
        assertThat(standard("any").matches("\uDE00a")).isFalse();
        assertThat(standard("tag").matches("\uDE00\uD83D")).isFalse();
    }

    @Test
    void bytes_that_are_not_utf8_are_any() {
        assertThat(standard("any").matches(new byte[] {(byte) 0xFF, 0})).isTrue();
        assertThat(standard("name").matches(new byte[] {(byte) 0xFF})).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "AB1,true",
        "AB123456789,true",
        "A1,false",
        "ABC1,false",
        "AB,false",
        "AB1234567890,false"
    })
    void a_program_builds_grammars_of_its_own(String value, boolean accepted) {
        Grammar serial =
                Grammar.oneOf("A-Z")
                        .times(2)
                        .then(Grammar.chars("0-9"))
                        .atMost(11)
                        .named("serial", "two capital letters and digits");

        assertThat(serial.matches(value)).isEqualTo(accepted);
        assertThat(serial.describe()).isEqualTo("two capital letters and digits, 1 to 11 bytes");
        assertThat(serial).hasToString("serial");
    }

    @Test
    void alternatives_options_and_repetitions_combine() {
        Grammar grammar =
                Grammar.literal("ab")
                        .or(Grammar.literal("c"))
                        .repeated()
                        .then(Grammar.oneOf("x").optional());

        assertThat(grammar.matches("ab")).isTrue();
        assertThat(grammar.matches("cabcx")).isTrue();
        assertThat(grammar.matches("x")).isFalse();
        assertThat(grammar.matches("abxx")).isFalse();
        assertThat(grammar.matches("aab")).isFalse();
        assertThat(grammar.acceptsEmpty()).isFalse();
        assertThat(grammar.optional().acceptsEmpty()).isTrue();
        assertThat(grammar.optional().matches("")).isTrue();
        assertThat(grammar.mayContain('x')).isTrue();
        assertThat(grammar.mayContain('y')).isFalse();
    }

    @Test
    void a_minus_sign_at_either_end_of_a_list_is_itself() {
        assertThat(Grammar.chars("-a").matches("-a")).isTrue();
        assertThat(Grammar.chars("a-").matches("-a")).isTrue();
        assertThat(Grammar.chars("a-c").matches("-")).isFalse();
        assertThat(Grammar.chars("a-c").matches("abc")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "z-a", "é", "a-é"})
    void a_bad_list_of_characters_is_refused(String characters) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammar.chars(characters))
                .withMessageContaining("list of characters");
    }

    @Test
    void what_has_a_length_is_not_combined_any_further() {
        Grammar bounded = Grammar.chars("a").atMost(3);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> bounded.then(Grammar.chars("b")))
                .withMessageContaining("combine first, then say atMost");
        assertThatIllegalArgumentException().isThrownBy(() -> Grammar.chars("b").or(bounded));
        assertThatIllegalArgumentException().isThrownBy(bounded::repeated);
    }

    @Test
    void senseless_grammars_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammar.anyBut("a"))
                .withMessageContaining("cannot be excluded");
        assertThatIllegalArgumentException().isThrownBy(() -> Grammar.chars("a").times(0));
        assertThatIllegalArgumentException().isThrownBy(() -> Grammar.chars("a").atMost(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammar.literal("\uD83D"))
                .withMessageContaining("Unicode");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammar.chars("a").times(10_000))
                .withMessageContaining("atMost");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammar.chars("a").named("No Name", ""))
                .withMessageContaining("\"No Name\"");
    }

    private static Grammar standard(String name) {
        return Grammars.standard().find(name).orElseThrow();
    }
}
