package dev.millrace.bench.race;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

class LatenciesTest {
    private static final long MILLI = 1_000_000;

    @Test
    void percentiles_are_those_of_the_sorted_figures() {
        Latencies latencies =
                Latencies.of(
                        LongStream.rangeClosed(1, 1000).map(i -> (1001 - i) * MILLI).toArray());
        assertThat(latencies.millis(50)).isEqualTo(500);
        assertThat(latencies.millis(99)).isEqualTo(990);
        assertThat(latencies.millis(100)).isEqualTo(1000);
        assertThat(latencies.cells()).isEqualTo("500.00 | 990.00 | 999.00 | 1000.0");
        assertThat(Latencies.of(List.of(latencies, Latencies.of(MILLI))).count()).isEqualTo(1001);
        assertThat(Latencies.of().millis(99)).isZero();
    }

    @Test
    void one_that_stands_still_makes_those_behind_it_late_too() {
        AtomicInteger count = new AtomicInteger();
        Latencies latencies =
                new OpenLoop(
                                1000,
                                () -> {
                                    if (count.incrementAndGet() == 10) {
                                        long end = System.nanoTime() + 50 * MILLI;
                                        for (long left = 50 * MILLI;
                                                left > 0;
                                                left = end - System.nanoTime()) {
                                            LockSupport.parkNanos(left);
                                        }
                                    }
                                })
                        .run(Duration.ofMillis(100));
        assertThat(count).hasValue(100);
        assertThat(latencies.count()).isEqualTo(100);
        assertThat(latencies.millis(100)).isGreaterThanOrEqualTo(50);
    }
}
