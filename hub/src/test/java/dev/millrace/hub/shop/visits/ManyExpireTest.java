package dev.millrace.hub.shop.visits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.shop.Stored;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Sessions by the million come to their end, and nothing of them is left. */
@OnEachSite
class ManyExpireTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final int SESSIONS = FULL ? 1_000_000 : 3_000;
    private static final int SAMPLES = 2_000;

    /** Until all are there. */
    private static final Duration LIFE = Duration.ofSeconds(FULL ? 180 : 5);

    @Parameter Site site;

    /** A million take longer than anything else on a machine that has other things to do. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void no_key_is_left_of_them() throws InterruptedException {
        String url = site.url();
        SharedServers.flushAll();
        try (TestHub hub = TestHub.start(url, "shop.sessions.pause=100ms")) {
            SessionSettings settings =
                    new SessionSettings(
                            10_000_000,
                            100,
                            Duration.ofSeconds(1),
                            Duration.ofDays(30),
                            new Bytes(65_536),
                            new SessionSettings.Cookie("session", true));
            ViewSettings views =
                    new ViewSettings(25, Duration.ZERO, 20_000, 10_000, Duration.ofDays(1));
            SessionStore store =
                    new SessionStore(
                            hub.keyspace(),
                            settings,
                            views,
                            new PopularStore(hub.keyspace(), views),
                            Clock.systemUTC());
            long end = System.nanoTime() + LIFE.toNanos();
            Semaphore room = new Semaphore(2_000);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < SESSIONS; i++) {
                    int number = i;
                    room.acquire();
                    threads.execute(
                            () -> {
                                long left = Math.max(1, (end - System.nanoTime()) / 1_000_000_000);
                                store.touch(
                                        "token-of-a-visitor-" + number,
                                        new SessionStore.Touch(
                                                true,
                                                Optional.of("user" + number % 1000),
                                                Optional.of("item" + number % 100),
                                                Optional.of(Duration.ofSeconds(left)),
                                                Map.of("theme", "\"dark\"")));
                                room.release();
                            });
                }
            }
            long quiet = site == Site.STANDALONE ? slowest() : 0;
            if (site == Site.STANDALONE) {
                await().atMost(Duration.ofHours(1))
                        .until(
                                () ->
                                        hub.get("/shop/sessions/stats")
                                                        .json()
                                                        .get("cleaned")
                                                        .asLong()
                                                > 0);
                System.out.printf(
                        "99th percentile of another client: %d µs at rest, %d µs while %d sessions"
                                + " are removed%n",
                        quiet / 1000, slowest() / 1000, SESSIONS);
            }
            await().atMost(Duration.ofHours(1))
                    .until(() -> hub.get("/shop/sessions/stats").json().get("count").asLong() == 0);
            await().untilAsserted(() -> assertThat(Stored.in(site).ofVisitors()).isEmpty());
            assertThat(hub.get("/shop/sessions/stats").json().get("cleaned").asLong())
                    .isEqualTo(SESSIONS);
        }
    }

    /** The 99th percentile of a question of somebody else, in ns. */
    private static long slowest() {
        List<Long> times = new ArrayList<>();
        try (RawConnection other = SharedServers.standalone().connect()) {
            for (int i = 0; i < SAMPLES; i++) {
                long began = System.nanoTime();
                other.command("GET", "somebody:elses");
                times.add(System.nanoTime() - began);
            }
        }
        Collections.sort(times);
        return times.get(times.size() * 99 / 100);
    }
}
