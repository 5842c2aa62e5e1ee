package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.readings.kept.EventDeletion;
import dev.millrace.hub.readings.kept.ReadingsShelf;
import dev.millrace.hub.work.Keep;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Events and readings stay within the limits of a hub, the oldest going first, each event whole.
 */
@OnEachSite
final class ReadingsRetentionTest {
    @Parameter Site site;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestHub hub;

    String redisUrl() {
        return site.url();
    }

    @BeforeEach
    void empty() {
        String url = redisUrl();
        SharedServers.flushAll();
        // Without limits: what is to be removed is there before anybody looks.
        hub = hub(url, "readings.keep-count=off", "readings.keep-bytes=off");
    }

    private TestHub hub(String url, String... settings) {
        TestHub started = TestHub.start(url, settings);
        opened.add(started);
        return started;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(50));
    }

    /** Events of two readings each, and a reading by itself after each, all at their own time. */
    private void fill(TestHub target, int events) {
        for (int i = 0; i < events; i++) {
            String device = "pump-" + i % 7;
            long created = 1000 + 10L * i;
            target.send("POST", "/api/v1/event", RoomContract.event(device, created, "a", "b"));
            target.send(
                    "POST",
                    "/api/v1/reading",
                    "{\"name\":\"c\",\"value\":\"1\",\"created\":%d}".formatted(created + 5));
        }
    }

    private static long number(TestHub target, String path) {
        return Long.parseLong(target.get("/api/v1/" + path).body());
    }

    private static ReadingsShelf shelf(Keyspace keyspace) {
        ReadingsService readings = new ReadingsService(keyspace, () -> Instant.EPOCH);
        return new ReadingsShelf(keyspace, new EventDeletion(keyspace)::delete, readings::delete);
    }

    private void nothingHasDrifted() {
        assertThat(hub.keyspace().check().run().findings()).isEmpty();
    }

    @Test
    void the_oldest_go_events_with_their_readings_and_readings_by_themselves() {
        fill(hub, 30);
        ReadingsShelf shelf = shelf(hub.keyspace());
        assertThat(shelf.holdings().count()).isEqualTo(120);
        assertThat(shelf.holdings().bytes()).isGreaterThan(120 * 200);
        // Ten events with two readings each, and the ten readings between them.
        assertThat(shelf.removeOldest(40, Long.MAX_VALUE)).isEqualTo(40);
        assertThat(number(hub, "event/count")).isEqualTo(20);
        assertThat(number(hub, "reading/count")).isEqualTo(60);
        assertThat(hub.get("/api/v1/event/0/1095/10").json()).isEmpty();
        assertThat(hub.get("/api/v1/reading/0/1095/10").json()).isEmpty();
        assertThat(hub.get("/api/v1/event/1100/1100/10").json()).hasSize(1);
        nothingHasDrifted();
    }

    @Test
    void only_what_is_older_than_asked_for_goes() {
        fill(hub, 30);
        ReadingsShelf shelf = shelf(hub.keyspace());
        assertThat(shelf.removeOldest(500, 1100)).isEqualTo(40);
        assertThat(shelf.removeOldest(500, 1100)).isZero();
        assertThat(number(hub, "event/count")).isEqualTo(20);
        nothingHasDrifted();
    }

    @Test
    void many_of_the_very_same_time_do_not_all_go_at_once() {
        for (int i = 0; i < 40; i++) {
            hub.send("POST", "/api/v1/event", RoomContract.event("pump-" + i % 3, 77, "a"));
        }
        assertThat(shelf(hub.keyspace()).removeOldest(10, Long.MAX_VALUE)).isEqualTo(10);
        assertThat(number(hub, "event/count")).isEqualTo(35);
        assertThat(number(hub, "reading/count")).isEqualTo(35);
        nothingHasDrifted();
    }

    @Test
    void what_cannot_be_read_stays_and_does_not_keep_the_others_from_going() {
        fill(hub, 10);
        String id = hub.get("/api/v1/event/1000/1000/1").json().get(0).get("id").asString();
        breakEvent(id);
        ReadingsShelf shelf = shelf(hub.keyspace());
        while (shelf.removeOldest(10, Long.MAX_VALUE) > 0) {
            assertThat(shelf.holdings().count()).isPositive();
        }
        assertThat(number(hub, "event/count")).isEqualTo(1);
        assertThat(number(hub, "reading/count")).isZero();
    }

    private void breakEvent(String id) {
        for (String key : site.allKeys()) {
            // In a cluster the names of shards go before it.
            if (key.equals(id) || key.endsWith("}" + id)) {
                site.command(key, "SET", key, "{");
            }
        }
    }

    @Test
    void a_hub_keeps_to_its_count_and_another_one_goes_on_when_it_ends() {
        fill(hub, 50);
        hub.close();
        TestHub first = hub(redisUrl(), "readings.keep-count=80", "readings.keep-bytes=off");
        eventually().until(() -> things(first) <= 80);
        assertThat(things(first)).isBetween(77L, 80L);
        TestHub second = hub(redisUrl(), "readings.keep-count=40", "readings.keep-bytes=off");
        first.close();
        eventually().until(() -> things(second) <= 40);
        assertThat(things(second)).isBetween(37L, 40L);
        assertThat(second.get("/api/v1/event/1490/1490/10").json()).hasSize(1);
        assertThat(second.keyspace().check().run().findings()).isEmpty();
        assertThat(second.get("/metrics").body())
                .contains("millrace_retention_removed_total{room=\"readings\"}");
    }

    private static long things(TestHub target) {
        return number(target, "event/count") + number(target, "reading/count");
    }

    @Test
    void a_hub_keeps_to_its_bytes() {
        fill(hub, 60);
        Keep.Holdings all = shelf(hub.keyspace()).holdings();
        hub.close();
        TestHub limited =
                hub(
                        redisUrl(),
                        "readings.keep-count=off",
                        "readings.keep-bytes=" + all.bytes() / 2);
        ReadingsShelf shelf = shelf(limited.keyspace());
        eventually().until(() -> shelf.holdings().bytes() <= 0.55 * all.bytes());
        assertThat(things(limited)).isBetween(60L, 170L);
        assertThat(limited.get("/api/v1/event/1590/1590/10").json()).hasSize(1);
        assertThat(limited.keyspace().check().run().findings()).isEmpty();
    }

    @Test
    void age_counts_only_where_it_is_asked_for() {
        fill(hub, 10);
        hub.send("POST", "/api/v1/event", "{\"device\":\"new\"}");
        hub.close();
        TestHub keeping = hub(redisUrl());
        eventually().until(() -> steps(keeping) > 0);
        assertThat(things(keeping)).isEqualTo(41);
        keeping.close();
        TestHub forgetting = hub(redisUrl(), "readings.keep-age=1h");
        eventually().until(() -> things(forgetting) == 1);
        assertThat(forgetting.keyspace().check().run().findings()).isEmpty();
    }

    private static long steps(TestHub target) {
        return target.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("millrace_duty_steps_total"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf('}') + 2)))
                .sum();
    }
}
