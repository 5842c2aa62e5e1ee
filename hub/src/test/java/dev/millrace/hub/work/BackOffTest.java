package dev.millrace.hub.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

class BackOffTest {
    private static final BackOff BACK_OFF =
            new BackOff(2, Duration.ofSeconds(5), Duration.ofMinutes(5));

    @Test
    void it_doubles_up_to_its_bound_give_or_take_a_fifth() {
        for (int i = 0; i < 1000; i++) {
            assertThat(BACK_OFF.before(0).toMillis()).isBetween(4_000L, 6_000L);
            assertThat(BACK_OFF.before(1).toMillis()).isBetween(8_000L, 12_000L);
            assertThat(BACK_OFF.before(3).toMillis()).isBetween(32_000L, 48_000L);
            assertThat(BACK_OFF.before(1_000_000).toMillis()).isBetween(240_000L, 360_000L);
        }
    }

    @Test
    void what_failed_together_does_not_come_back_together() {
        Set<Duration> waits = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            waits.add(BACK_OFF.before(0));
        }
        assertThat(waits.size()).isGreaterThan(50);
    }
}
