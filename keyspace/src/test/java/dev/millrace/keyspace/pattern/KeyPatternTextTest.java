package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

final class KeyPatternTextTest {
    @Test
    void a_pattern_names_its_variables_in_order() {
        KeyPattern pattern = KeyPattern.of("idx:alarm:watch:{source}:{field:name}");

        assertThat(pattern.variables()).containsExactly("source", "field");
        assertThat(pattern.grammar("source").name()).isEqualTo("any");
        assertThat(pattern.grammar("field").name()).isEqualTo("name");
        assertThat(pattern.literal()).isFalse();
        assertThat(pattern.text()).isEqualTo("idx:alarm:watch:{source}:{field:name}");
        assertThat(pattern).hasToString(pattern.text());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pattern.grammar("rule"))
                .withMessageContaining("no variable rule");
    }

    @Test
    void a_pattern_without_variables_is_one_key() {
        KeyPattern pattern = KeyPattern.of("alarm:events");

        assertThat(pattern.literal()).isTrue();
        assertThat(pattern.variables()).isEmpty();
        assertThat(pattern.key()).isEqualTo("alarm:events");
        assertThat(pattern.matches("alarm:events")).isTrue();
        assertThat(pattern.matches("alarm:event")).isFalse();
        assertThat(pattern.values("alarm:events")).contains(List.of());
        assertThat(pattern.values("alarm:event")).isEmpty();
        assertThat(pattern.glob()).isEqualTo("alarm:events");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                       | it is empty
                    alarm:{rule              | the { at 6 is never closed
                    c.{{channel:tag          | the {{ at 2 is never closed
                    c.{{channel:tag}.clock   | the {{ at 2 is never closed
                    c.{{channel:tag}.x{y}}   | there is no grammar "tag}.x{y"
                    alarm:rule}              | the } at 10 closes nothing
                    alarm:{rule}}            | the } at 12 closes nothing
                    alarm:{}                 | "" is not the name of a variable
                    alarm:{a b}              | "a b" is not the name of a variable
                    alarm:{{}}               | "" is not the name of a variable
                    a:{x}:{x}                | it has two variables x
                    a:{x}{y}                 | nothing stands between two variables at 5
                    a:{x:nmae}               | did you mean name?
                    a:{x:uid}                | did you mean uuid?
                    a:{x:Number}             | did you mean number?
                    a:{x:completelyelse}     | known are [any, name, token
                    a:{x:}                   | there is no grammar ""
                    c.{{channel}}.clock      | as in {{channel:tag}}
                    c.{{channel:any}}.clock  | must not be empty or contain a }
                    {a}.{{channel:tag}}      | a may contain a { and so hide the hash tag
                    """)
    void a_bad_text_is_refused_with_a_sentence(String text, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyPattern.of(text))
                .withMessageStartingWith("Bad key pattern \"" + text + "\": ")
                .withMessageContaining(why);
    }

    @Test
    void a_text_that_is_not_unicode_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyPattern.of("a\uD83D:{x}"))
                .withMessageContaining("not Unicode");
    }

    @Test
    void doubled_braces_are_a_hash_tag() {
        KeyPattern pattern = KeyPattern.of("c.{{channel:name}}.m.{clock:number}");

        assertThat(pattern.tagged()).isTrue();
        assertThat(pattern.hashTag()).contains("channel");
        assertThat(pattern.variables()).containsExactly("channel", "clock");
        assertThat(pattern.key("chX", "1")).isEqualTo("c.{chX}.m.1");
        assertThat(pattern.matches("c.{chX}.m.-9007199254740991")).isTrue();
        assertThat(pattern.matches("c.chX.m.1")).isFalse();
        assertThat(pattern.glob()).isEqualTo("c.{*}.m.*");
    }

    @Test
    void every_key_begins_with_the_head_and_ends_with_the_tail() {
        assertThat(KeyPattern.of("c.{{channel:tag}}.m.{clock:number}").head()).isEqualTo("c.{");
        assertThat(KeyPattern.of("c.{{channel:tag}}.m.{clock:number}").tail()).isEmpty();
        assertThat(KeyPattern.of("comsrv:{channel:number}:T").tail()).isEqualTo(":T");
        assertThat(KeyPattern.of("alarm:events").head()).isEqualTo("alarm:events");
        assertThat(KeyPattern.of("alarm:events").tail()).isEmpty();
    }

    @Test
    void single_braces_are_no_hash_tag() {
        assertThat(KeyPattern.of("event:device:{device}").tagged()).isFalse();
        assertThat(KeyPattern.of("event:device:{device}").hashTag()).isEmpty();
    }

    @Test
    void only_the_first_doubled_braces_are_the_tag() {
        KeyPattern pattern = KeyPattern.of("{{a:name}}{{b}}");

        assertThat(pattern.hashTag()).contains("a");
        assertThat(pattern.key("x", "y")).isEqualTo("{x}{y}");
    }

    @Test
    void a_glob_escapes_what_redis_would_read_as_a_wildcard() {
        assertThat(KeyPattern.of("a*b?[c]\\:{x}:{y}").glob()).isEqualTo("a\\*b\\?\\[c\\]\\\\:*:*");
        assertThat(KeyPattern.of("{id:uuid}").glob()).isEqualTo("*");
    }

    @Test
    void patterns_are_equal_when_text_and_grammars_are() {
        Grammars one = Grammars.standard().with(Grammar.chars("0-9").named("mine", "digits"));
        Grammars other = Grammars.standard().with(Grammar.chars("a-z").named("mine", "letters"));

        assertThat(KeyPattern.of("a:{x}")).isEqualTo(KeyPattern.of("a:{x}"));
        assertThat(KeyPattern.of("a:{x}")).hasSameHashCodeAs(KeyPattern.of("a:{x}"));
        assertThat(KeyPattern.of("a:{x}")).isNotEqualTo(KeyPattern.of("a:{y}"));
        assertThat(KeyPattern.of("a:{x:mine}", one)).isEqualTo(KeyPattern.of("a:{x:mine}", one));
        assertThat(KeyPattern.of("a:{x:mine}", one))
                .isNotEqualTo(KeyPattern.of("a:{x:mine}", other));
    }
}
