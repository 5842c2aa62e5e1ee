package dev.millrace.keyspace.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.stream.Stream;

/** The pauses between attempts. */
class BackOffTest {
    private final BackOff backOff = new BackOff();

    @Test
    void pauses_double_up_to_ten_seconds() {
        assertThat(Stream.generate(() -> backOff.next().toMillis()).limit(10))
                .containsExactly(
                        100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 10000L, 10000L, 10000L);
    }

    @Test
    void a_minute_of_health_begins_anew() {
        backOff.next();
        backOff.next();
        backOff.healthy(Duration.ofSeconds(59));
        assertThat(backOff.next()).hasMillis(400);
        backOff.healthy(Duration.ofSeconds(60));
        assertThat(backOff.next()).hasMillis(100);
    }
}
