package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Lease;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What a lease promises, the same on a single server and on a cluster. */
@OnEachSite
final class LeaseTest extends EngineContract {
    private static final Duration LONG = Duration.ofMinutes(5);

    LeaseTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private Commit change(Lease lease, String owner) {
        return keyspace.commit(owner).increment(Plant.COUNTER.at(owner), 1).with(lease.guard());
    }

    @Test
    void one_holds_it_until_it_gives_it_back() {
        Lease one = keyspace.lease("sender", "one", LONG);
        Lease two = keyspace.lease("sender", "two", LONG);
        assertThat(one.take()).isTrue();
        assertThat(two.take()).isFalse();
        assertThat(one.take()).isTrue();
        long fence = one.fence().orElseThrow();
        one.release();
        assertThat(one.held()).isFalse();
        assertThat(two.take()).isTrue();
        assertThat(two.fence().orElseThrow()).isGreaterThan(fence);
    }

    @Test
    void a_renewal_keeps_the_fence() {
        Lease lease = keyspace.lease("sender", "one", LONG);
        lease.take();
        long fence = lease.fence().orElseThrow();
        lease.take();
        assertThat(lease.fence()).contains(fence);
    }

    @Test
    void a_commit_of_a_holder_that_was_replaced_changes_nothing_in_any_shard() {
        Lease stale = keyspace.lease("sender", "one", Duration.ofMillis(1));
        stale.take();
        Lease fresh = keyspace.lease("sender", "two", LONG);
        while (!fresh.take()) {
            Thread.onSpinWait();
        }
        for (String owner : List.of("a", "b", "c", "d", "e")) {
            assertThat(change(stale, owner).run().failedBy(Reason.CONFLICT)).isTrue();
            assertThat(change(fresh, owner).run().isDone()).isTrue();
            assertThat(raw(owner, "GET", "counter:" + owner)).isEqualTo("1");
        }
    }

    @Test
    void a_commit_after_the_end_of_the_lease_changes_nothing_though_nobody_took_it() {
        Lease lease = keyspace.lease("sender", "one", Duration.ofMillis(1));
        lease.take();
        while (change(lease, "pump").run().isDone()) {
            Thread.onSpinWait();
        }
        Object before = raw("pump", "GET", "counter:pump");
        assertThat(change(lease, "pump").run().failedBy(Reason.CONFLICT)).isTrue();
        assertThat(raw("pump", "GET", "counter:pump")).isEqualTo(before);
    }

    @Test
    void a_commit_without_the_lease_is_never_done() {
        assertThat(
                        change(keyspace.lease("sender", "one", LONG), "pump")
                                .run()
                                .failedBy(Reason.CONFLICT))
                .isTrue();
    }

    @Test
    void among_many_exactly_one_gets_it() throws InterruptedException {
        AtomicInteger holders = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Lease lease = keyspace.lease("sender", "holder" + i, LONG);
            threads.add(
                    Thread.startVirtualThread(
                            () -> {
                                if (lease.take()) {
                                    holders.incrementAndGet();
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(holders).hasValue(1);
    }
}
