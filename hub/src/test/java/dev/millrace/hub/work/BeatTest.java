package dev.millrace.hub.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/** Those who look now and then look at the same moments. */
class BeatTest {
    @ParameterizedTest(name = "at {0} ms, a pause of {1} ms ends after {2}")
    @CsvSource({
        "0, 1000, 1000",
        "1, 1000, 999",
        "999, 1000, 1",
        "1000, 1000, 1000",
        "400, 2000, 1600",
        "400, 1500, 600",
        "400, 999, 999",
        "400, 20, 20",
        "0, 5000, 5000",
        "3000, 5000, 2000",
        "4999, 5000, 1",
        "3000, 15000, 12000",
        "2000, 7000, 3000",
        "3000, 0, 0",
    })
    void a_pause_ends_at_a_beat(long now, long pause, long wait) {
        assertThat(Beat.within(now * 1_000_000, pause * 1_000_000)).isEqualTo(wait * 1_000_000);
    }

    @Test
    void it_is_never_longer() {
        for (int millis = 0; millis < 30_000; millis += 37) {
            Duration pause = Duration.ofMillis(millis);
            assertThat(Beat.within(pause)).isLessThanOrEqualTo(pause);
            assertThat(Beat.within(pause).isNegative()).isFalse();
        }
    }
}
