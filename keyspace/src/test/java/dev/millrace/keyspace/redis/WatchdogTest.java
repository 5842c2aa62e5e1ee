package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

class WatchdogTest {
    private static final long LATER = Duration.ofHours(1).toNanos();

    private final AtomicInteger looks = new AtomicInteger();
    private final Watchdog watchdog = new Watchdog(LATER);

    @AfterEach
    void stop() {
        watchdog.close();
    }

    @Test
    void a_deadline_that_is_earlier_than_all_others_is_looked_at_when_it_comes() {
        watchdog.also(
                () -> {
                    looks.incrementAndGet();
                    return false;
                });
        for (int i = 1; i <= 3; i++) {
            int before = looks.get();
            watchdog.within(System.nanoTime() + LATER);
            watchdog.within(System.nanoTime() + Duration.ofMillis(10).toNanos());
            await().until(() -> looks.get() > before);
        }
    }

    @Test
    void who_has_more_to_do_soon_is_asked_again_without_anybody_saying_so() {
        watchdog.also(() -> looks.incrementAndGet() < 5);
        watchdog.within(System.nanoTime());
        await().until(() -> looks.get() >= 5);
    }

    @Test
    void what_fails_besides_does_not_end_it() {
        watchdog.also(
                () -> {
                    throw new IllegalStateException("look " + looks.incrementAndGet());
                });
        watchdog.within(System.nanoTime());
        await().until(() -> looks.get() == 1);
        watchdog.within(System.nanoTime());
        await().until(() -> looks.get() == 2);
        assertThat(watchdog.closed()).isFalse();
    }
}
