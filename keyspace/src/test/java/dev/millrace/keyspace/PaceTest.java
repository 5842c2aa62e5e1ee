package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.keyspace.redis.walk.Pace;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
    private static final long MILLI = 1_000_000;

    @ParameterizedTest
    @CsvSource({"100, 7, 0", "50, 7, 7", "25, 2, 6", "10, 1, 9", "1, 1, 99"})
    void rests_in_proportion_to_what_a_step_took(int percent, long worked, long rest) {
        assertThat(new Pace(percent).restAfter(worked * MILLI)).isEqualTo(rest * MILLI);
    }

    @Test
    void one_slow_answer_does_not_stop_the_walk_for_minutes() {
        assertThat(new Pace(1).restAfter(5_000 * MILLI)).isEqualTo(1_000 * MILLI);
    }

    @Test
    void nothing_and_more_than_everything_is_no_pace() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Pace(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Pace(101));
    }
}
