package dev.millrace.hub.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

class BackOffTest {
    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofSeconds(5), Duration.ofMinutes(5)).spread(0.2, 0.2);

    @Test
    void it_doubles_up_to_its_bound_give_or_take_a_fifth() {
        for (int i = 0; i < 1000; i++) {
            assertThat(BACK_OFF.after(0).toMillis()).isBetween(4_000L, 6_000L);
            assertThat(BACK_OFF.after(1).toMillis()).isBetween(8_000L, 12_000L);
            assertThat(BACK_OFF.after(3).toMillis()).isBetween(32_000L, 48_000L);
            assertThat(BACK_OFF.after(1_000_000).toMillis()).isBetween(240_000L, 360_000L);
        }
    }

    @Test
    void what_failed_together_does_not_come_back_together() {
        Set<Duration> waits = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            waits.add(BACK_OFF.after(0));
        }
        assertThat(waits.size()).isGreaterThan(50);
    }

    @Test
    void it_may_only_be_shorter_or_have_no_bound_and_is_never_negative() {
        BackOff shorter =
                BackOff.doubling(Duration.ofMillis(100), Duration.ofSeconds(10)).spread(0.5, 0);
        BackOff wild = BackOff.growing(Duration.ofMillis(10), 2).giveOrTake(Duration.ofSeconds(1));
        for (int i = 0; i < 1000; i++) {
            assertThat(shorter.after(0).toMillis()).isBetween(50L, 100L);
            assertThat(shorter.after(50).toMillis()).isBetween(5_000L, 10_000L);
            assertThat(wild.after(1).toMillis()).isBetween(0L, 1020L);
        }
        assertThat(BackOff.growing(Duration.ofDays(1), 1000).after(900)).isPositive();
        assertThat(BackOff.growing(Duration.ZERO, 1000).after(900)).isZero();
    }
}
