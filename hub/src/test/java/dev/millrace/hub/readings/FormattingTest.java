package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.regex.Pattern;

class FormattingTest {
    /** The rule as it is written down; it may take long, so it is only compared with. */
    private static final Pattern RULE =
            Pattern.compile("%(\\d+\\$)?([-#+ 0,(<]*)?(\\d+)?(\\.\\d+)?([tT])?([a-zA-Z%])");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                "%5.2f",
                "%-10d",
                "%1$tY",
                "%%",
                "about %s degrees",
                "%<,08d",
                "%t",
                "% d",
                "%5%s"
            })
    void a_conversion_is_found(String text) {
        assertThat(Formatting.hasConversion(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "%", "100 %", "%5.", "%.f", "%$d", "%5-d", "%1$", "%é"})
    void what_is_none_is_not(String text) {
        assertThat(Formatting.hasConversion(text)).isFalse();
    }

    @Test
    void it_is_the_rule_that_is_written_down() {
        Random random = new Random(7);
        String letters = "%%%$$..0123-#+ ,(<tTsd!é";
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(10); length > 0; length--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            assertThat(Formatting.hasConversion(text.toString()))
                    .as(text.toString())
                    .isEqualTo(RULE.matcher(text).find());
        }
    }
}
