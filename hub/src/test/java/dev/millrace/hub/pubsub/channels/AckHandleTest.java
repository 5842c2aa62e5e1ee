package dev.millrace.hub.pubsub.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Handles bit for bit as other servers write them. */
class AckHandleTest {

    @ParameterizedTest
    @CsvSource({
        "1, eyJyZWRpczEiOiJ7XCJjbGtcIjoxLFwieHNcIjpcIkErSWZxZ1wifSJ9",
        "1024, eyJyZWRpczEiOiJ7XCJjbGtcIjoxMDI0LFwieHNcIjpcIkVJbnFPQVwifSJ9",
        "-1024, eyJyZWRpczEiOiJ7XCJjbGtcIjotMTAyNCxcInhzXCI6XCJOcXlUQndcIn0ifQ==",
        "MAX, eyJyZWRpczEiOiJ7XCJjbGtcIjo5MDA3MTk5MjU0NzQwOTkxLFwieHNcIjpcIkZXaVB1QVwifSJ9",
        "MIN, eyJyZWRpczEiOiJ7XCJjbGtcIjotOTAwNzE5OTI1NDc0MDk5MSxcInhzXCI6XCJKZ20vV3dcIn0ifQ=="
    })
    void a_handle_is_that_of_the_vectors(String clock, String handle) {
        assertThat(AckHandle.of("redis1", "ch-1", "sbsc-1", ClockRingTest.clock(clock)))
                .isEqualTo(handle)
                .matches("[A-Za-z0-9._=-]+");
        assertThat(AckHandle.clock(handle, "redis1", "ch-1", "sbsc-1"))
                .hasValue(ClockRingTest.clock(clock));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "null",
                "{\"redis1\":1}",
                "{\"redis1\":\"{}\",\"other\":1}",
                "{\"redis1\":\"no json\"}",
                "{\"redis1\":\"[]\"}",
                "{\"redis1\":\"{\\\"clk\\\":1.5,\\\"xs\\\":\\\"A+Ifqg\\\"}\"}",
                "{\"redis1\":\"{\\\"clk\\\":\\\"1\\\",\\\"xs\\\":\\\"A+Ifqg\\\"}\"}",
                "{\"redis1\":\"{\\\"clk\\\":1,\\\"xs\\\":\\\"A+Ifqh\\\"}\"}",
                "{\"redis1\":\"{\\\"clk\\\":2,\\\"xs\\\":\\\"A+Ifqg\\\"}\"}",
                "{\"redis1\":\"{\\\"clk\\\":1}\"}"
            })
    void what_is_no_handle_is_malformed(String text) {
        assertThatThrownBy(() -> AckHandle.clock(encoded(text), "redis1", "ch-1", "sbsc-1"))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void a_handle_of_another_subscriber_or_channel_is_malformed() {
        String handle = AckHandle.of("redis1", "ch-1", "sbsc-1", 7);
        assertThatThrownBy(() -> AckHandle.clock(handle, "redis1", "ch-1", "sbsc-2"))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> AckHandle.clock(handle, "redis1", "ch-2", "sbsc-1"))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> AckHandle.clock("%%%", "redis1", "ch-1", "sbsc-1"))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void a_handle_of_another_storage_says_nothing() {
        String handle = AckHandle.of("redis2", "ch-1", "sbsc-1", 7);
        assertThat(AckHandle.clock(handle, "redis1", "ch-1", "sbsc-1")).isEmpty();
    }
}
