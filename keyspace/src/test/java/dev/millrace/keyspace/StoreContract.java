package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a store promises, the same on a single server and on a cluster. */
abstract class StoreContract extends EngineContract {
    private static final String FOREIGN_ID = "57ba04a1189b95b8afcdafd7";

    private Store<Event> events;

    StoreContract(Site site) {
        super(site);
    }

    @Override
    Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
    }

    private static Event event(String device, long created) {
        return new Event(Shards.mint(device), device, created, 0);
    }

    @Test
    void a_created_entity_is_found_by_id_and_in_each_of_its_indexes() {
        Event event = event("pump", 100);
        assertThat(events.create(event).isDone()).isTrue();
        assertThat(events.get(event.id()).map(Stored::value)).contains(event);
        assertThat(raw("pump", "ZSCORE", "event", event.id())).isEqualTo("0");
        assertThat(raw("pump", "ZSCORE", "event:created", event.id())).isEqualTo("100");
        assertThat(raw("pump", "ZSCORE", "event:device:pump", event.id())).isEqualTo("100");
        assertThat(raw("pump", "ZSCORE", "event:pushed", event.id())).isNull();
        assertThat(events.query("event:created").page().values()).containsExactly(event);
    }

    @Test
    void a_foreign_id_is_found_wherever_its_owner_lives() {
        for (String device : List.of("a", "b", "c", "d")) {
            Event event = new Event(FOREIGN_ID, device, 5, 0);
            assertThat(events.create(event).isDone()).isTrue();
            assertThat(events.get(FOREIGN_ID).map(Stored::value)).contains(event);
            assertThat(
                            events.create(event(device, 6).withId(FOREIGN_ID))
                                    .failedBy(Reason.DUPLICATE))
                    .isTrue();
            assertThat(
                            events.create(new Event(FOREIGN_ID, device + "x", 6, 0))
                                    .failedBy(Reason.DUPLICATE))
                    .isTrue();
            assertThat(events.delete(FOREIGN_ID).isDone()).isTrue();
            assertThat(events.get(FOREIGN_ID)).isEmpty();
        }
    }

    @Test
    void an_entity_that_changes_its_owner_moves_with_all_its_entries() {
        Event event = event("pump", 100);
        events.create(event);
        for (String device : List.of("valve", "tank", "mill", "pump", "press")) {
            Outcome<Stored<Event>> moved =
                    events.update(event.id(), old -> new Event(old.id(), device, 100, 7));
            assertThat(moved.isDone()).as("%s", moved).isTrue();
            assertThat(events.get(event.id()).map(Stored::value))
                    .contains(new Event(event.id(), device, 100, 7));
            assertThat(events.query("event:device:{device}", device).count()).isEqualTo(1);
            assertThat(events.query("event").count()).isEqualTo(1);
        }
        assertThat(events.delete(event.id()).isDone()).isTrue();
        assertThat(events.query("event").count()).isZero();
    }

    @Test
    void pages_go_through_an_index_in_both_directions_and_through_equal_scores() {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Event event = event("device" + i % 7, i / 10);
            all.add(event);
            events.create(event).orThrow();
        }
        for (boolean newestFirst : List.of(true, false)) {
            List<String> seen = new ArrayList<>();
            Optional<Cursor> cursor = Optional.empty();
            do {
                Query<Event> query = events.query("event:created").limit(7);
                if (newestFirst) {
                    query.newestFirst();
                }
                cursor.ifPresent(query::after);
                Page<Event> page = query.page();
                page.items().forEach(item -> seen.add(item.id()));
                cursor = page.next().map(Cursor::text).map(Cursor::parse);
            } while (cursor.isPresent());
            List<String> expected =
                    all.stream()
                            .sorted(
                                    java.util.Comparator.comparingLong(Event::created)
                                            .thenComparing(Event::id))
                            .map(Event::id)
                            .toList();
            assertThat(seen).isEqualTo(newestFirst ? expected.reversed() : expected);
        }
        assertThat(events.query("event:created").between(1, 2).count()).isEqualTo(20);
        assertThat(events.query("event:created").between(1, 2).page().values()).hasSize(20);
    }

    @Test
    void a_commit_adds_equal_and_different_members_to_several_sorted_sets() {
        Outcome<Long> done =
                keyspace.commit("tank")
                        .addSorted(Plant.TIMES.at("tank"), 1, "first")
                        .addSorted(Plant.TIMES.at("tank"), 2.5, "first")
                        .addMember(Plant.TAGS.at("tank"), "blue")
                        .addSorted(Plant.TIMES.at("tank"), 3, "first")
                        .addSorted(Plant.TIMES.at("tank"), 4, "second")
                        .addSorted(Plant.TIMES.at("tank"), 5, "third")
                        .run();
        assertThat(done.isDone()).isTrue();
        assertThat(raw("tank", "ZRANGE", "times:tank", "0", "-1", "WITHSCORES"))
                .isEqualTo(List.of("first", "3", "second", "4", "third", "5"));
    }

    @Test
    void a_wrong_type_at_any_index_leaves_nothing_written() {
        for (String index :
                List.of("event", "event:created", "event:pushed", "event:device:pump")) {
            raw("pump", "SET", index, "in the way");
            Outcome<Stored<Event>> refused =
                    events.create(new Event(Shards.mint("pump"), "pump", 100, 101));
            assertThat(refused.failedBy(Reason.WRONG_TYPE)).as(index).isTrue();
            assertThat(refused.toString()).contains(index);
            raw("pump", "DEL", index);
            assertThat(site.command(fullKey("pump", "event"), "DBSIZE")).isEqualTo(0L);
        }
    }
}
