package dev.millrace.hub.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.memory.Footprint;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** What grows stays within its limits, the youngest are kept, and any hub may see to it. */
@OnEachSite
final class RetentionTest extends WorkContract {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration CALM = Duration.ofMillis(100);
    private static final int OWNERS = 9;

    private final SimpleMeterRegistry figures = new SimpleMeterRegistry();
    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(10_000));

    private Retention retention(Keyspace keyspace, Keep keep) {
        return opened(
                Retention.start(
                        keyspace, "things", keep, shelf(keyspace), figures, clock, LEASE, CALM));
    }

    private static Shelf shelf(Keyspace keyspace) {
        Store<Thing> things = keyspace.store(THINGS);
        return new Shelf() {
            @Override
            public Keep.Holdings holdings() {
                Footprint all = keyspace.footprint(THINGS);
                return new Keep.Holdings(all.count(), all.bytes());
            }

            @Override
            public long removeOldest(int most, long before) {
                Page<Thing> oldest =
                        things.query("things:created")
                                .between(Double.NEGATIVE_INFINITY, (double) (before - 1))
                                .limit(most)
                                .page();
                for (Stored<Thing> each : oldest.items()) {
                    keyspace.commit(each.value().owner()).delete(THINGS, each).run().orThrow();
                }
                return oldest.items().size();
            }
        };
    }

    /** So many things, created at 0, 1, 2 … */
    private static void fill(Keyspace keyspace, int count) {
        Store<Thing> things = keyspace.store(THINGS);
        for (int i = 0; i < count; i++) {
            String owner = "owner-" + i % OWNERS;
            things.create(new Thing(Shards.mint(owner), owner, i, "x".repeat(100))).orThrow();
        }
    }

    private static List<Long> created(Keyspace keyspace) {
        return keyspace.store(THINGS).query("things:created").limit(5000).page().values().stream()
                .map(Thing::created)
                .toList();
    }

    @Test
    void of_too_many_the_newest_stay() {
        Keyspace keyspace = hub();
        fill(keyspace, 1300);
        retention(keyspace, new Keep(Optional.empty(), 100, Optional.empty()));
        eventually().until(() -> keyspace.store(THINGS).query("things").count() == 100);
        assertThat(created(keyspace)).hasSize(100).first().isEqualTo(1200L);
        assertThat(keyspace.check().run().findings()).isEmpty();
        eventually()
                .until(
                        () ->
                                figures.get("millrace.retention.removed").counter().count() == 1200
                                        && figures.get("millrace.retention.count").gauge().value()
                                                == 100);
    }

    @Test
    void too_much_in_bytes_becomes_less_and_not_much_less() {
        Keyspace keyspace = hub();
        fill(keyspace, 1000);
        long all = keyspace.footprint(THINGS).bytes();
        retention(keyspace, new Keep(Optional.empty(), Keep.NONE, Optional.of(all / 2)));
        eventually()
                .until(
                        () ->
                                figures.get("millrace.retention.removed").counter().count() > 0
                                        && keyspace.footprint(THINGS).bytes() <= 0.525 * all);
        List<Long> left = created(keyspace);
        assertThat(left).hasSizeBetween(350, 600).last().isEqualTo(999L);
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    @Test
    void what_is_too_old_goes_and_what_is_young_stays() {
        Keyspace keyspace = hub();
        fill(keyspace, 1000);
        // It is 10 000 now.
        Optional<Duration> age = Optional.of(Duration.ofMillis(9500));
        retention(keyspace, new Keep(age, Keep.NONE, Optional.empty()));
        eventually().until(() -> keyspace.store(THINGS).query("things").count() == 500);
        assertThat(created(keyspace)).first().isEqualTo(500L);
    }

    @Test
    void without_a_limit_that_is_reached_everything_stays() {
        Keyspace keyspace = hub();
        fill(keyspace, 50);
        retention(keyspace, new Keep(Optional.empty(), 50, Optional.empty()));
        eventually().until(() -> figures.get("millrace.duty.steps").counter().count() > 3);
        assertThat(created(keyspace)).hasSize(50);
    }

    @Test
    void another_hub_goes_on_when_the_one_that_did_it_has_died() {
        Redis doomed = redis();
        Keyspace alive = hub();
        Keep keep = new Keep(Optional.empty(), 20, Optional.empty());
        Retention first = retention(new Keyspace(doomed, CATALOGUE), keep);
        eventually().until(first::held);
        Retention second = retention(alive, keep);
        doomed.close();
        fill(alive, 60);
        eventually().until(() -> alive.store(THINGS).query("things").count() == 20);
        assertThat(second.held()).isTrue();
        assertThat(created(alive)).first().isEqualTo(40L);
    }
}
