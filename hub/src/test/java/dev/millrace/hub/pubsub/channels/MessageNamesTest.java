package dev.millrace.hub.pubsub.channels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageNamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "a-b", "a_b", "9zz", "a--__", "s-3f1c2b9e"})
    void letters_digits_and_two_signs_make_a_name(String id) {
        assertThat(MessageNames.isValid(id)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "A", "aB", "-a", "_a", "a.b", "a:b", "a b", "é", "aé", "a\n", "\na", "a/b",
                "a{b}", "a\0", "٣"
            })
    void everything_else_is_none(String id) {
        assertThat(MessageNames.isValid(id)).isFalse();
    }

    @Test
    void a_name_has_at_most_63_characters() {
        assertThat(MessageNames.isValid("a".repeat(63))).isTrue();
        assertThat(MessageNames.isValid("a".repeat(64))).isFalse();
    }
}
