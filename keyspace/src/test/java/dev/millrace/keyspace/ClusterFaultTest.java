package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.TestCluster;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Primaries killed and exchanged, slots moved, while many owners write without waiting. */
final class ClusterFaultTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Two or three for each primary: enough to see that the others go on. */
    private static final List<String> OWNERS =
            IntStream.range(0, 40).mapToObj(i -> "owner" + i).toList();

    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster =
                TestCluster.startWithReplicas(
                        // The others need not stop because one third is away.
                        "cluster-require-full-coverage no");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void everybodyIsBack() {
        cluster.nodes().stream().filter(node -> !node.alive()).forEach(TestServer::restart);
        cluster.awaitOk();
        cluster.flushAll();
    }

    private static Redis open(Duration patience) {
        return Redis.open(
                RedisOptions.of(cluster.url()).withTimes(patience, Duration.ofSeconds(60)));
    }

    private static Keyspace keyspace(Redis redis) {
        return new Keyspace(redis, Plant.CATALOGUE);
    }

    private static int slotOf(Keyspace keyspace, String owner) {
        return keyspace.ground().shards().place(owner).slot();
    }

    /** Those whose slot is in this third of all slots. */
    private static Predicate<String> inThird(Keyspace keyspace, int third) {
        return owner -> {
            int slot = slotOf(keyspace, owner);
            return slot >= TestCluster.firstSlot(third) && slot < TestCluster.firstSlot(third + 1);
        };
    }

    private static void nothingHasDrifted(Keyspace keyspace) {
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    // ---------------------------------------------------------------- failover

    @Test
    void a_killed_primary_s_owners_go_on_at_its_replica_and_the_others_notice_nothing() {
        for (int third = 0; third < (FULL ? 3 : 1); third++) {
            cluster.flushAll();
            try (Redis redis = open(PATIENCE);
                    OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 1500)) {
                Keyspace keyspace = keyspace(redis);
                Predicate<String> hit = inThird(keyspace, third);
                logs.awaitEachDone(owner -> true);
                TestServer killed = cluster.killPrimary(third);
                logs.awaitEachDone(hit.negate());
                cluster.awaitFailover(third, killed);
                logs.awaitEachDone(hit);
                logs.stop().doneUnknownOrUnavailable();
                for (String owner : OWNERS) {
                    // A failover may lose what was done last; it may not reorder or halve.
                    logs.agree(owner, !hit.test(owner));
                    if (!hit.test(owner)) {
                        logs.allDone(owner);
                    }
                }
                nothingHasDrifted(keyspace);
                killed.restart();
                cluster.awaitOk();
            }
        }
    }

    @Test
    void a_primary_exchanged_for_its_replica_loses_nothing() {
        try (Redis redis = open(PATIENCE);
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 1500)) {
            for (int round = 0; round < (FULL ? 9 : 1); round++) {
                logs.awaitEachDone(owner -> true);
                cluster.failover(round % 3);
            }
            logs.awaitEachDone(owner -> true);
            logs.stop().doneUnknownOrUnavailable();
            logs.agree(true);
            nothingHasDrifted(keyspace(redis));
        }
    }

    @Test
    void a_primary_that_is_only_silent_is_replaced_and_its_late_answers_harm_nobody() {
        try (Redis redis =
                        Redis.open(
                                RedisOptions.of(cluster.url())
                                        .withTimes(PATIENCE, Duration.ofMillis(500)));
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 1500)) {
            Keyspace keyspace = keyspace(redis);
            logs.awaitEachDone(owner -> true);
            TestServer silent = cluster.primary(2);
            silent.pause();
            Predicate<String> hit = inThird(keyspace, 2);
            // Its replica takes over; a paused node cannot be asked, so the owners themselves say
            // when.
            logs.awaitEachDone(hit);
            silent.resume();
            cluster.awaitOk();
            logs.awaitEachDone(owner -> true);
            logs.stop().doneUnknownOrUnavailable();
            for (String owner : OWNERS) {
                logs.agree(owner, !hit.test(owner));
            }
            nothingHasDrifted(keyspace);
        }
    }

    // ---------------------------------------------------------------- slots on the move

    @Test
    void a_slot_moved_key_by_key_under_load_loses_nothing_and_keeps_order() {
        String home = "owner0";
        List<String> owners = new ArrayList<>(OWNERS.subList(0, 6));
        // More owners of the same slot, whose keys move one after another.
        int shard = Shards.shard(home);
        for (int i = 0; owners.size() < 14; i++) {
            if (Shards.shard("mate" + i) == shard) {
                owners.add("mate" + i);
            }
        }
        try (Redis redis = open(Duration.ofMillis(500));
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), owners, 600)) {
            Keyspace keyspace = keyspace(redis);
            int slot = slotOf(keyspace, home);
            for (int round = 0; round < (FULL ? 10 : 1); round++) {
                logs.awaitEachDone(owner -> true);
                TestServer from = cluster.slotOwner(slot);
                TestServer to = cluster.primary((thirdOf(from) + 1) % 3);
                cluster.migrateSlotStart(slot, from, to);
                while (cluster.migrateKeys(slot, from, to, 1) > 0) {
                    // One at a time: owners are half here and half there for a while.
                    logs.awaitAnswered(20);
                }
                cluster.migrateSlotFinish(slot, from, to);
                logs.awaitEachDone(owner -> true);
            }
            logs.stop();
            logs.noneUnknown();
            logs.doneUnknownOrUnavailable();
            logs.agree(true);
            assertThat(logs.count(Outcome::isDone)).isPositive();
            nothingHasDrifted(keyspace);
        }
    }

    private static int thirdOf(TestServer node) {
        for (int third = 0; third < 3; third++) {
            if (cluster.primary(third) == node) {
                return third;
            }
        }
        throw new IllegalStateException("Not a primary: " + node.port());
    }

    @Test
    void entities_in_a_slot_on_the_move_are_written_whole_or_not_at_all() {
        String device = "owner1";
        try (Redis redis = open(Duration.ofMillis(300))) {
            Keyspace keyspace = keyspace(redis);
            Store<Event> events = keyspace.store(Plant.EVENTS);
            int slot = slotOf(keyspace, device);
            List<Stored<Event>> stored = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                stored.add(events.create(event(device, i)).orThrow());
            }
            TestServer from = cluster.slotOwner(slot);
            TestServer to = cluster.primary((thirdOf(from) + 1) % 3);
            cluster.migrateSlotStart(slot, from, to);
            int alive = stored.size();
            for (int moved = 0; cluster.migrateKeys(slot, from, to, 2) > 0; moved++) {
                Outcome<Stored<Event>> created = events.create(event(device, 100 + moved));
                assertThat(created.isDone() || created.failedBy(Reason.UNAVAILABLE))
                        .as("%s", created)
                        .isTrue();
                Outcome<Stored<Event>> deleted = events.delete(stored.get(moved));
                assertThat(deleted.isDone() || deleted.failedBy(Reason.UNAVAILABLE))
                        .as("%s", deleted)
                        .isTrue();
                alive += (created.isDone() ? 1 : 0) - (deleted.isDone() ? 1 : 0);
                // A single key is found wherever it is.
                assertThat(events.get(stored.getLast().id())).isPresent();
            }
            cluster.migrateSlotFinish(slot, from, to);
            assertThat(events.create(event(device, 999)).isDone()).isTrue();
            assertThat(events.query("event:device:{device}", device).count()).isEqualTo(alive + 1L);
            assertThat(events.query("event").count()).isEqualTo(alive + 1L);
            nothingHasDrifted(keyspace);
        }
    }

    private static Event event(String device, long created) {
        return new Event(Shards.mint(device), device, created, created);
    }
}
