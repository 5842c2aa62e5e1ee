package dev.millrace.hub.pubsub.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.settings.Origin;
import dev.millrace.hub.settings.Tree;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0,0",
        "+0,0",
        "0ms,0",
        "1ns,1",
        "1us,1000",
        "1µs,1000",
        "1μs,1000",
        "1ms,1000000",
        "1s,1000000000",
        "1m,60000000000",
        "1h,3600000000000",
        "1h30m,5400000000000",
        "1.5s,1500000000",
        ".5s,500000000",
        "1.s,1000000000",
        "1s500ms,1500000000",
        "-1.5h,-5400000000000",
        "+5s,5000000000",
        "0.3333333333333333333h,1199999999999",
        "1.9ns,1",
        "9223372036854775807ns,9223372036854775807",
        "0100ms,100000000",
        "3m3m,360000000000"
    })
    void a_time_is_exact_to_the_nanosecond(String text, long nanos) {
        assertThat(TimeText.parse(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+",
                "10",
                "1",
                "s",
                ".",
                ".s",
                "-.s",
                "1 s",
                " 1s",
                "1s ",
                "1d",
                "1S",
                "1h-30m",
                "--1s",
                "1,5s",
                "1e3s",
                "0x1s",
                "1.2.3s",
                "9223372036854775808ns",
                "3000000h",
                "١s",
                "NaN",
                "infs"
            })
    void what_is_no_time_is_refused(String text) {
        assertThatThrownBy(() -> TimeText.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"30,30000000000", "1.5,1500000000", "0,0", "-2,-2000000000", "1e1,10000000000"})
    void a_bare_number_in_a_file_is_seconds(String text, long nanos) {
        assertThat(TimeText.parse(new Tree.Plain(text, true, new Origin.Standard())))
                .isEqualTo(Duration.ofNanos(nanos));
        assertThatThrownBy(() -> TimeText.parse("30"))
                .hasMessage("'30' is not a valid time; write 500ms, 30s, 1h30m.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e10", "1e999999999", "99999999999", "-1e300"})
    void a_number_beyond_all_time_is_refused(String text) {
        assertThatThrownBy(() -> TimeText.parse(new Tree.Plain(text, true, new Origin.Standard())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
