package dev.millrace.hub.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.schedule.Lease;
import dev.millrace.keyspace.testing.OnEachSite;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Work is done by one hub, whichever, and goes on when that one is gone. */
@OnEachSite
final class DutyTest extends WorkContract {
    /** So long that no machine stands still for it. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    /** For those that wait for its end. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    /**
     * For those that wait for it to be renewed or free; whoever keeps it may be late by six
     * seconds.
     */
    private static final Duration RENEWED_LEASE = Duration.ofSeconds(9);

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    private final SimpleMeterRegistry figures = new SimpleMeterRegistry();

    private Duty duty(Keyspace keyspace, Duty.Step step) {
        return duty(keyspace, LEASE, step);
    }

    private Duty duty(Keyspace keyspace, Duration lease, Duty.Step step) {
        return opened(Duty.start(keyspace, "sweep", lease, figures, step));
    }

    @Test
    void of_several_hubs_one_works_and_when_it_is_closed_another_goes_on() {
        Set<String> workers = ConcurrentHashMap.newKeySet();
        Duty first = duty(hub(), RENEWED_LEASE, turn -> did(workers, "first"));
        eventually().until(() -> workers.contains("first"));
        Duty second = duty(hub(), RENEWED_LEASE, turn -> did(workers, "second"));
        AtomicInteger steps = new AtomicInteger();
        eventually()
                .until(
                        () -> {
                            workers.clear();
                            return steps.incrementAndGet() > 10;
                        });
        assertThat(workers).doesNotContain("second");
        assertThat(second.held()).isFalse();
        first.close();
        eventually().until(() -> workers.contains("second"));
        assertThat(first.held()).isFalse();
    }

    private static Duration did(Set<String> workers, String who) {
        workers.add(who);
        return SOON;
    }

    @Test
    void another_hub_goes_on_when_the_one_that_worked_has_died() {
        Redis doomed = redis();
        Set<String> workers = ConcurrentHashMap.newKeySet();
        Duty first =
                duty(new Keyspace(doomed, CATALOGUE), SHORT_LEASE, turn -> did(workers, "first"));
        eventually().until(first::held);
        Duty second = duty(hub(), SHORT_LEASE, turn -> did(workers, "second"));
        doomed.close();
        eventually().until(() -> workers.contains("second"));
        eventually().until(second::held);
        eventually().until(() -> !first.held());
    }

    @Test
    void a_step_that_lasts_longer_than_the_lease_keeps_it() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        Duty first =
                duty(
                        hub(),
                        RENEWED_LEASE,
                        turn -> {
                            eventually().until(() -> end.getCount() == 0 || !turn.mine());
                            return LONG;
                        });
        eventually().until(first::held);
        long firstEnd = endOfLease();
        duty(
                hub(),
                RENEWED_LEASE,
                turn -> {
                    others.incrementAndGet();
                    return SOON;
                });
        // Renewed after the moment at which it would have ended.
        eventually().until(() -> endOfLease() >= firstEnd + RENEWED_LEASE.toMillis());
        assertThat(others).hasValue(0);
        assertThat(first.held()).isTrue();
        end.countDown();
    }

    @Test
    void a_close_ends_a_step_that_looks_and_a_long_pause_at_once() {
        CountDownLatch began = new CountDownLatch(1);
        Duty working =
                duty(
                        hub(),
                        turn -> {
                            began.countDown();
                            eventually().until(() -> !turn.mine());
                            return LONG;
                        });
        eventually().until(() -> began.getCount() == 0);
        working.close();
        CountDownLatch done = new CountDownLatch(1);
        Duty pausing =
                duty(
                        hub(),
                        turn -> {
                            done.countDown();
                            return LONG;
                        });
        eventually().until(() -> done.getCount() == 0);
        pausing.close();
    }

    @Test
    void news_end_a_pause() {
        AtomicInteger steps = new AtomicInteger();
        Duty duty =
                duty(
                        hub(),
                        turn -> {
                            steps.incrementAndGet();
                            return LONG;
                        });
        eventually().until(() -> steps.get() == 1);
        duty.wake();
        eventually().until(() -> steps.get() == 2);
    }

    @Test
    void a_step_that_fails_is_tried_again_and_counted() {
        AtomicInteger steps = new AtomicInteger();
        duty(
                hub(),
                turn -> {
                    if (steps.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return LONG;
                });
        eventually().until(() -> steps.get() == 3);
        assertThat(figures.get("millrace.duty.failures").tag("duty", "sweep").counter().count())
                .isEqualTo(2);
        eventually()
                .until(
                        () ->
                                figures.get("millrace.duty.steps").counter().count() == 1
                                        && figures.get("millrace.duty.held").gauge().value() == 1);
    }

    @Test
    void what_a_late_holder_commits_is_refused() {
        Redis doomed = redis();
        Keyspace keyspace = new Keyspace(doomed, CATALOGUE);
        Keyspace other = hub();
        CountDownLatch turned = new CountDownLatch(1);
        AtomicInteger refused = new AtomicInteger();
        Duty first =
                duty(
                        keyspace,
                        turn -> {
                            var late =
                                    keyspace.commit("pump")
                                            .create(THINGS, thing("pump"))
                                            .with(turn.lease().guard());
                            eventually().until(() -> turned.getCount() == 0);
                            refused.set(late.run().isStored() ? -1 : 1);
                            return LONG;
                        });
        eventually().until(first::held);
        // Its machine stopped for a long time, and somebody else has the lease meanwhile.
        Lease next = other.lease("sweep", "another", Duration.ofMinutes(5));
        eventually()
                .until(
                        () -> {
                            forgetLease();
                            return next.take();
                        });
        turned.countDown();
        eventually().until(() -> refused.get() != 0);
        assertThat(refused).hasValue(1);
    }

    /** In a cluster the name of a shard goes before it. */
    private Optional<String> leaseKey() {
        return site.allKeys().stream()
                .filter(key -> key.endsWith("millrace:lease:sweep"))
                .findFirst();
    }

    private void forgetLease() {
        leaseKey().ifPresent(key -> site.command(key, "DEL", key));
    }

    /** By the server's clock, in ms. */
    private long endOfLease() {
        String key = leaseKey().orElseThrow();
        return Long.parseLong(String.valueOf(site.command(key, "HGET", key, "until")));
    }

    private static Thing thing(String owner) {
        return new Thing(Shards.mint(owner), owner, 1, "");
    }
}
