package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What a schedule promises, the same on a single server and on a cluster. */
abstract class ScheduleContract extends EngineContract {
    private static final Duration LEASE = Duration.ofMinutes(1);

    ScheduleContract(Site site) {
        super(site);
    }

    @Override
    Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private Schedule schedule() {
        return keyspace.schedule("jobs");
    }

    private void put(String owner, String id, long due) {
        keyspace.commit(owner).schedule(schedule(), id, due, id.getBytes(UTF_8)).run().orThrow();
    }

    @Test
    void what_is_due_is_claimed_once_and_what_is_not_waits() {
        put("pump", "now", 1);
        put("valve", "later", Long.MAX_VALUE / 4096);
        List<Schedule.Claim> claims = schedule().claim(10, LEASE);
        assertThat(claims).extracting(Schedule.Claim::id).containsExactly("now");
        assertThat(claims.getFirst().body()).isEqualTo("now".getBytes(UTF_8));
        assertThat(schedule().claim(10, LEASE)).isEmpty();
        assertThat(schedule().size()).isEqualTo(2);
    }

    @Test
    void the_effect_and_the_end_of_an_item_are_one_commit() {
        put("pump", "job", 1);
        Schedule.Claim claim = schedule().claim(10, LEASE).getFirst();
        Cell.Key counter = Plant.COUNTER.at("pump");
        assertThat(claim.commit().increment(counter, 1).finish(claim).run().isDone()).isTrue();
        assertThat(claim.commit().increment(counter, 1).finish(claim).run().failedBy(Reason.ABSENT))
                .isTrue();
        assertThat(raw("pump", "GET", counter.key())).isEqualTo("1");
        assertThat(schedule().size()).isZero();
    }

    @Test
    void a_claim_whose_lease_ended_and_was_taken_by_another_does_nothing() {
        put("pump", "job", 1);
        Schedule.Claim first = schedule().claim(10, Duration.ZERO).getFirst();
        Schedule.Claim second = awaitClaim();
        assertThat(second.score()).isNotEqualTo(first.score());
        assertThat(first.commit().finish(first).run().failedBy(Reason.CONFLICT)).isTrue();
        assertThat(second.commit().reschedule(second, 5, new byte[0]).run().isDone()).isTrue();
        assertThat(schedule().claim(10, LEASE)).hasSize(1);
    }

    /** The lease of the first claim ends with the server's next millisecond. */
    private Schedule.Claim awaitClaim() {
        while (true) {
            List<Schedule.Claim> claims = schedule().claim(10, LEASE);
            if (!claims.isEmpty()) {
                return claims.getFirst();
            }
        }
    }

    @Test
    void an_item_can_be_taken_out_or_given_another_time() {
        put("pump", "job", 1);
        put("pump", "job", Long.MAX_VALUE / 4096);
        assertThat(schedule().claim(10, LEASE)).isEmpty();
        keyspace.commit("pump").unschedule(schedule(), "job").run().orThrow();
        assertThat(schedule().size()).isZero();
    }

    @Test
    void many_workers_do_each_of_many_items_once() throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            put("owner" + i % 20, "job" + i, i);
        }
        AtomicInteger done = new AtomicInteger();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            workers.add(Thread.startVirtualThread(() -> work(done)));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(done).hasValue(200);
        assertThat(schedule().size()).isZero();
    }

    private void work(AtomicInteger done) {
        while (schedule().size() > 0) {
            for (Schedule.Claim claim : schedule().claim(5, LEASE)) {
                Outcome<Long> outcome = claim.commit().finish(claim).run();
                if (outcome.isDone()) {
                    done.incrementAndGet();
                }
            }
        }
    }
}
