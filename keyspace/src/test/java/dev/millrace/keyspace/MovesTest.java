package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Changes of owner: one commit on a single server, a move between shards in a cluster. */
@OnEachSite
final class MovesTest extends EngineContract {
    private static final String FOREIGN_ID = "57ba04a1189b95b8afcdafd7";
    private static final List<String> DEVICES = List.of("pump", "valve", "tank", "mill", "press");

    record Machine(String name, String hall, @org.jspecify.annotations.Nullable String note) {}

    /** A hash that may change its owner. */
    private static final Layout<Machine> MACHINES =
            Layout.hash("machine:{name:name}", Machine.class)
                    .ownedBy("hall")
                    .indexedBy("hall")
                    .set("hall-machines:{hall}");

    private static final List<Declaration> ALL = new ArrayList<>(Plant.CATALOGUE.declarations());

    static {
        ALL.add(MACHINES);
    }

    private static final Catalogue CATALOGUE = Keyspace.catalogue(ALL);

    private Store<Event> events;

    MovesTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
    }

    @Test
    void foreign_and_own_ids_move_from_anywhere_to_anywhere() {
        String atHome = "";
        for (int i = 0; atHome.isEmpty(); i++) {
            atHome = Shards.shard("d" + i) == Shards.shard(FOREIGN_ID) ? "d" + i : "";
        }
        for (String id : List.of(FOREIGN_ID, Shards.mint("pump"))) {
            done(events.create(new Event(id, "pump", 0, 0)));
            List<String> way = List.of("valve", atHome, "tank", "pump", atHome, "pump", "mill");
            for (int i = 0; i < way.size(); i++) {
                Event next = new Event(id, way.get(i), i, i % 2);
                done(events.update(id, old -> next));
                assertThat(events.get(id).map(Stored::value)).contains(next);
                assertThat(events.query("event").page().values()).containsExactly(next);
                assertThat(events.query("event:pushed").count()).isEqualTo(i % 2);
                notDone(Reason.DUPLICATE, events.create(new Event(id, "tank", 9, 0)));
                notDone(Reason.DUPLICATE, events.create(new Event(id, atHome, 9, 0)));
                assertThat(keyspace.check().run().findings()).isEmpty();
            }
            done(events.delete(id));
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void a_move_of_what_was_changed_or_moved_meanwhile_is_not_done() {
        String id = Shards.mint("pump");
        Stored<Event> old = done(events.create(new Event(id, "pump", 0, 0)));
        Stored<Event> newer = done(events.replace(old, new Event(id, "pump", 1, 0)));
        notDone(Reason.CONFLICT, events.replace(old, new Event(id, "valve", 2, 0)));
        done(events.replace(newer, new Event(id, "valve", 3, 0)));
        for (String device : List.of("tank", "valve", "pump")) {
            Outcome<?> late = events.replace(newer, new Event(id, device, 4, 0));
            assertThat(late.failedBy(Reason.CONFLICT) || late.failedBy(Reason.ABSENT))
                    .as("%s", late)
                    .isTrue();
        }
        assertThat(events.get(id).map(Stored::value)).contains(new Event(id, "valve", 3, 0));
        assertThat(events.query("event").count()).isEqualTo(1);
        done(events.delete(id));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_hash_takes_the_fields_of_others_along() {
        Store<Machine> machines = keyspace.store(MACHINES);
        done(machines.create(new Machine("m1", "north", "old")));
        raw("north", "HSET", "machine:m1", "theirs", "kept");
        for (String hall : List.of("south", "east", "m1", "west")) {
            done(machines.update("m1", old -> new Machine("m1", hall, null)));
            assertThat(machines.get("m1").map(Stored::value))
                    .contains(new Machine("m1", hall, null));
            assertThat(raw(hall, "HGET", "machine:m1", "theirs")).isEqualTo("kept");
            assertThat(raw(hall, "HEXISTS", "machine:m1", "note")).isEqualTo(0L);
        }
        done(machines.delete("m1"));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_wrong_type_in_the_new_shard_stops_a_move_before_it_begins() {
        driftIsExpected();
        String id = Shards.mint("pump");
        Stored<Event> stored = done(events.create(new Event(id, "pump", 0, 0)));
        raw("valve", "SET", "event:device:valve", "theirs");
        notDone(Reason.WRONG_TYPE, events.replace(stored, new Event(id, "valve", 1, 0)));
        assertThat(events.get(id)).contains(stored);
        raw("valve", "DEL", "event:device:valve");
        assertThat(keyspace.check().run().findings()).isEmpty();
        assertThat(allKeys()).noneMatch(key -> key.contains("millrace:"));
    }

    @Test
    void many_who_move_one_entity_at_once_lose_nothing() {
        for (String id : List.of(FOREIGN_ID, Shards.mint("pump"))) {
            done(events.create(new Event(id, "pump", 0, 0)));
            int moved =
                    Crowd.ask(
                                    12,
                                    thread -> {
                                        int counted = 0;
                                        for (int i = 0; i < 10; i++) {
                                            String device = DEVICES.get((thread + i) % 5);
                                            counted +=
                                                    events.update(id, old -> next(old, device))
                                                                    .isDone()
                                                            ? 1
                                                            : 0;
                                        }
                                        return counted;
                                    })
                            .stream()
                            .mapToInt(each -> each)
                            .sum();
            assertThat(events.get(id).orElseThrow().value().created()).isEqualTo(moved);
            assertThat(moved).isPositive();
            assertThat(events.query("event").count()).isEqualTo(1);
            assertThat(keyspace.check().run().findings()).isEmpty();
            done(events.delete(id));
            assertThat(allKeys()).isEmpty();
        }
    }

    private static Event next(Event old, String device) {
        return new Event(old.id(), device, old.created() + 1, 0);
    }

    @Test
    void a_reader_finds_an_entity_at_any_moment_of_its_moves() {
        for (String id : List.of(FOREIGN_ID, Shards.mint("pump"))) {
            done(events.create(new Event(id, "pump", 0, 0)));
            AtomicBoolean over = new AtomicBoolean();
            Crowd.run(
                    5,
                    thread -> {
                        for (int i = 0; thread == 0 && i < 60; i++) {
                            String device = DEVICES.get(i % 5);
                            done(events.update(id, old -> next(old, device)));
                        }
                        over.compareAndSet(false, thread == 0);
                        while (!over.get()) {
                            assertThat(events.get(id)).isPresent();
                            assertThat(events.getMany(List.of(id))).hasSize(1);
                        }
                    });
            done(events.delete(id));
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void many_who_rename_to_one_name_at_once_lose_nothing() {
        Store<Notice> notices = keyspace.store(Plant.NOTICES);
        for (int round = 0; round < 3; round++) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                String slug = "slug" + i;
                String id = i % 2 == 0 ? Shards.mint(slug) : "%024x".formatted(i * 104729L);
                ids.add(id);
                done(notices.create(new Notice(id, slug, null, List.of())));
            }
            List<Outcome<Stored<Notice>>> all =
                    Crowd.ask(
                            10,
                            i ->
                                    notices.update(
                                            ids.get(i),
                                            old ->
                                                    new Notice(
                                                            old.id(), "wanted", null, List.of())));
            assertThat(all).filteredOn(Outcome::isDone).hasSize(1);
            assertThat(notices.getMany(ids)).hasSize(10);
            assertThat(notices.find("notice-slug", "wanted")).isPresent();
            assertThat(notices.query("notices").count()).isEqualTo(10);
            assertThat(keyspace.check().run().findings()).isEmpty();
            done(notices.query("notices").delete(each -> {}));
            assertThat(allKeys()).isEmpty();
        }
    }
}
