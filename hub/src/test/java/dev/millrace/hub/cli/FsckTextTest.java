package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.check.CheckProgress;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class FsckTextTest {
    private static String progress(long done, long total, int seconds, long drift) {
        return FsckText.progress(
                new CheckProgress(done, total, Duration.ofSeconds(seconds), drift));
    }

    @Test
    void progress_is_percent_speed_time_left_and_differences() {
        assertThat(progress(1_290_000, 3_000_000, 60, 3))
                .isEqualTo(
                        "43 %: 1,290,000 keys, 21,500 a second, about 79 s left; 3 differences so"
                                + " far");
        assertThat(progress(600, 36_000_000, 1, 1))
                .isEqualTo("0 %: 600 keys, 600 a second, about 17 h left; 1 difference so far");
        assertThat(progress(100_000, 1_000_000, 50, 0)).contains("2,000 a second, about 8 min");
    }

    @Test
    void an_estimate_that_was_too_small_never_gives_100() {
        assertThat(progress(5, 5, 1, 0)).startsWith("99 %").contains("about 1 s left");
    }

    @Test
    void before_anything_is_done_nothing_is_said_about_the_time_left() {
        assertThat(progress(0, 100, 2, 0))
                .isEqualTo("0 %: 0 keys, 0 a second; 0 differences so far");
    }
}
