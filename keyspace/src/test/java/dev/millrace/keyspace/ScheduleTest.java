package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/** What a schedule promises, the same on a single server and on a cluster. */
@OnEachSite
final class ScheduleTest extends EngineContract {
    private static final Duration LEASE = Duration.ofMinutes(1);

    ScheduleTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private Schedule schedule() {
        return keyspace.schedule("jobs");
    }

    private void put(String owner, String id, long due) {
        keyspace.commit(owner).with(schedule().item(id, due, id.getBytes(UTF_8))).run().orThrow();
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
        assertThat(claim.commit().increment(counter, 1).with(claim.done()).run().isDone()).isTrue();
        assertThat(
                        claim.commit()
                                .increment(counter, 1)
                                .with(claim.done())
                                .run()
                                .failedBy(Reason.ABSENT))
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
        assertThat(first.commit().with(first.done()).run().failedBy(Reason.CONFLICT)).isTrue();
        assertThat(second.commit().with(second.again(5, new byte[0])).run().isDone()).isTrue();
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
        keyspace.commit("pump").with(schedule().without("job")).run().orThrow();
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

    @Test
    void what_one_owner_has_is_claimed_alone() {
        put("pump", "mine", 1);
        put(another("pump"), "yours", 1);
        List<String> claimed =
                schedule().claim("pump", 10, LEASE).stream().map(Schedule.Claim::id).toList();
        assertThat(claimed).contains("mine");
        // A single server has one schedule for all owners.
        assertThat(claimed).hasSize(site.cluster() ? 1 : 2);
    }

    /** An owner of another shard. */
    private static String another(String owner) {
        int i = 0;
        while (Shards.shard("owner" + i) == Shards.shard(owner)) {
            i++;
        }
        return "owner" + i;
    }

    @Test
    void several_schedules_are_claimed_at_once_each_as_far_as_wished() {
        Schedule first = keyspace.schedule("first");
        Schedule second = keyspace.schedule("second");
        for (Schedule each : List.of(first, second)) {
            for (int i = 0; i < 3; i++) {
                keyspace.commit("pump").with(each.item("job" + i, i, new byte[0])).run().orThrow();
            }
        }
        assertThat(Schedule.claimAll(List.of(first.at("pump", 1), second.at("pump", 2)), LEASE))
                .extracting(claim -> claim.schedule().name() + " " + claim.id())
                .containsExactly("first job0", "second job0", "second job1");
        assertThat(Schedule.claimAll(List.of(), LEASE)).isEmpty();
    }

    @Test
    void what_waits_is_told_of_several_schedules_at_once() {
        put("pump", "one", 5);
        put("pump", "two", 7);
        assertThat(Schedule.waiting("pump", List.of(schedule(), keyspace.schedule("empty"))))
                .containsExactly(
                        new Schedule.Waiting(2, OptionalLong.of(5)),
                        new Schedule.Waiting(0, OptionalLong.empty()));
        assertThat(Schedule.waiting("pump", List.of())).isEmpty();
    }

    @Test
    void an_item_that_is_new_is_put_once_and_stays_with_whoever_has_claimed_it() {
        assertThat(putNew("first").isDone()).isTrue();
        Schedule.Claim claim = schedule().claim(10, LEASE).getFirst();
        assertThat(putNew("second").failedBy(Reason.CONFLICT)).isTrue();
        assertThat(claim.body()).isEqualTo("first".getBytes(UTF_8));
        assertThat(claim.commit().with(claim.done()).run().isDone()).isTrue();
        assertThat(putNew("third").isDone()).isTrue();
    }

    private Outcome<Long> putNew(String body) {
        return keyspace.commit("pump")
                .with(schedule().newItem("job", 1, body.getBytes(UTF_8)))
                .run();
    }

    @Test
    void a_schedule_that_is_emptied_leaves_nothing_and_its_claims_are_void() {
        put("pump", "one", 1);
        put("pump", "two", Long.MAX_VALUE / 4096);
        Schedule.Claim claim = schedule().claim(10, LEASE).getFirst();
        keyspace.commit("pump").with(schedule().empty()).run().orThrow();
        assertThat(claim.commit().with(claim.again(5, new byte[0])).run().failedBy(Reason.ABSENT))
                .isTrue();
        assertThat(allKeys()).isEmpty();
    }

    private void work(AtomicInteger done) {
        while (schedule().size() > 0) {
            for (Schedule.Claim claim : schedule().claim(5, LEASE)) {
                Outcome<Long> outcome = claim.commit().with(claim.done()).run();
                if (outcome.isDone()) {
                    done.incrementAndGet();
                }
            }
        }
    }
}
