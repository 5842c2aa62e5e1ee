package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Ids that somebody else made: found wherever their owner lives, in a cluster by a pointer. */
@OnEachSite
final class HomesTest extends EngineContract {
    private static final String ID = "57ba04a1189b95b8afcdafd7";
    private static final long LONG_AGO = System.currentTimeMillis() - 3_600_000;

    private Store<Event> events;

    HomesTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
    }

    private static Event event(String device) {
        return new Event(ID, device, 5, 0);
    }

    /** A device that lives in the shard of the id, or in another one. */
    private static String device(boolean atHome) {
        return deviceIn(atHome ? Shards.shard(ID) : (Shards.shard(ID) + 1) % Shards.COUNT, "d");
    }

    private static String deviceIn(int shard, String start) {
        for (int i = 0; ; i++) {
            if (Shards.shard(start + i) == shard) {
                return start + i;
            }
        }
    }

    private Object pointer() {
        return raw(ID, "GET", "millrace:home:" + ID);
    }

    private void plantPointer(int shard, long since) {
        raw(ID, "SET", "millrace:home:" + ID, shard + ":" + since);
    }

    @Test
    void a_foreign_id_is_found_wherever_its_owner_lives() {
        for (String device : List.of("a", "b", "c", device(true), device(false))) {
            done(events.create(event(device)));
            assertThat(events.get(ID).map(Stored::value)).contains(event(device));
            assertThat(events.getMany(List.of(ID))).hasSize(1);
            notDone(Reason.DUPLICATE, events.create(event(device)));
            for (String other : List.of("x", "y", "z", device(true), device(false))) {
                notDone(Reason.DUPLICATE, events.create(event(other)));
            }
            done(events.update(ID, old -> new Event(ID, device, 6, 1)));
            done(events.delete(ID));
            assertThat(events.get(ID)).isEmpty();
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void a_pointer_exists_in_a_cluster_only_and_only_where_it_is_needed() {
        done(events.create(event(device(false))));
        assertThat(pointer() != null).isEqualTo(site.cluster());
        done(events.delete(ID));
        assertThat(pointer()).isNull();
        done(events.create(event(device(true))));
        assertThat(pointer()).isNull();
        String minted = Shards.mint("pump");
        done(events.create(new Event(minted, "pump", 5, 0)));
        assertThat(allKeys()).noneMatch(key -> key.contains("millrace:"));
    }

    @Test
    void a_create_that_is_refused_leaves_no_pointer() {
        driftIsExpected();
        String device = device(false);
        raw(device, "SET", "event:created", "theirs");
        notDone(Reason.WRONG_TYPE, events.create(event(device)));
        assertThat(pointer()).isNull();
        raw(device, "DEL", "event:created");
        done(events.create(event(device(true))));
    }

    @Test
    void a_stale_claim_is_taken_over_and_a_young_one_is_not() {
        int nowhere = (Shards.shard(ID) + 2) % Shards.COUNT;
        for (boolean atHome : List.of(true, false)) {
            plantPointer(nowhere, LONG_AGO);
            done(events.create(event(device(atHome))));
            assertThat(events.get(ID)).isPresent();
            done(events.delete(ID));
            if (site.cluster()) {
                assertThat(pointer()).isNull();
                plantPointer(nowhere, System.currentTimeMillis());
                notDone(Reason.CONFLICT, events.create(event(device(atHome))));
                assertThat(events.get(ID)).isEmpty();
            }
            raw(ID, "DEL", "millrace:home:" + ID);
        }
        // A young claim of one's own owner is shared: the commits decide.
        plantPointer(Shards.shard(device(false)), System.currentTimeMillis());
        done(events.create(event(device(false))));
        done(events.delete(ID));
    }

    @Test
    void a_pointer_that_is_no_pointer_does_no_harm() {
        for (String words : List.of("", "x", "999", "-5:1", "7:x:y", ":::")) {
            raw(ID, "SET", "millrace:home:" + ID, words);
            assertThat(events.get(ID)).isEmpty();
            if (site.cluster()) {
                done(events.create(event(device(false))));
                assertThat(events.get(ID)).isPresent();
                done(events.delete(ID));
                assertThat(pointer()).isNull();
            }
        }
        raw(ID, "DEL", "millrace:home:" + ID);
    }

    @Test
    void a_basket_claims_pointers_and_clears_them_like_a_store() {
        String device = device(false);
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            readings.add(new Reading("%024x".formatted(i * 7919L), device, "t", i, "1"));
        }
        Commit create = keyspace.commit(device).create(Plant.EVENTS, event(device));
        readings.forEach(reading -> create.create(Plant.READINGS, reading));
        done(create.run());
        assertThat(events.get(ID)).isPresent();
        Store<Reading> store = keyspace.store(Plant.READINGS);
        assertThat(store.getMany(readings.stream().map(Reading::id).toList())).hasSize(5);
        Commit again =
                keyspace.commit(device)
                        .increment(Plant.COUNTER.at(device), 1)
                        .create(Plant.READINGS, readings.getLast());
        notDone(Reason.DUPLICATE, again.run());
        Commit delete = keyspace.commit(device).delete(Plant.EVENTS, events.get(ID).orElseThrow());
        readings.forEach(
                reading -> delete.delete(Plant.READINGS, store.get(reading.id()).orElseThrow()));
        done(delete.run());
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_basket_with_a_token_and_a_foreign_id_is_done_once() {
        String device = device(false);
        for (int i = 0; i < 3; i++) {
            done(
                    keyspace.commit(device)
                            .create(Plant.EVENTS, event(device))
                            .increment(Plant.COUNTER.at(device), 1)
                            .once("token")
                            .send()
                            .join());
        }
        assertThat(raw(device, "GET", "counter:" + device)).isEqualTo("1");
        notDone(
                Reason.DUPLICATE,
                keyspace.commit(device).create(Plant.EVENTS, event(device)).once("other").run());
    }

    @Test
    void of_many_owners_who_create_one_id_at_once_exactly_one_wins() {
        for (int round = 0; round < 6; round++) {
            List<Outcome<Stored<Event>>> all =
                    Crowd.ask(50, thread -> events.create(event("device" + thread % 25)));
            List<Stored<Event>> winners =
                    all.stream().filter(Outcome::isDone).map(Outcome::orThrow).toList();
            assertThat(winners).hasSize(1);
            assertThat(all)
                    .allMatch(
                            each ->
                                    each.isDone()
                                            || each.failedBy(Reason.DUPLICATE)
                                            || each.failedBy(Reason.CONFLICT));
            assertThat(events.get(ID).map(Stored::value)).contains(winners.getFirst().value());
            assertThat(events.query("event").page().values())
                    .containsExactly(winners.getFirst().value());
            done(events.delete(ID));
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void creates_and_deletes_of_one_id_by_many_leave_it_found_or_gone() {
        List<String> devices = List.of(device(true), device(false), "a", "b");
        for (int round = 0; round < 4; round++) {
            List<Integer> balance =
                    Crowd.ask(
                            16,
                            thread -> {
                                int alive = 0;
                                for (int i = 0; i < 20; i++) {
                                    if ((thread + i) % 2 == 0) {
                                        String device = devices.get((thread + i) / 2 % 4);
                                        alive += events.create(event(device)).isDone() ? 1 : 0;
                                    } else {
                                        alive -= events.delete(ID).isDone() ? 1 : 0;
                                    }
                                }
                                return alive;
                            });
            int alive = balance.stream().mapToInt(each -> each).sum();
            assertThat(alive).isIn(0, 1);
            assertThat(events.get(ID).isPresent()).isEqualTo(alive == 1);
            assertThat(events.query("event").count()).isEqualTo(alive);
            assertThat(keyspace.check().run().findings()).isEmpty();
            events.delete(ID);
            raw(ID, "DEL", "millrace:home:" + ID);
            assertThat(allKeys()).isEqualTo(Set.of());
        }
    }
}
