package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.Whole;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;

/** However much there is: read in steps, in order, with what is listed beside it. */
@OnEachSite
final class WalkTest extends EngineContract {
    private static final Layout<Event> EVENTS = Plant.events();
    private static final Layout<Reading> READINGS = Plant.readings();
    private static final Cell LIST =
            Cell.of(KeyType.SORTED_SET, "event:readings:{event:id}")
                    .livesBeside("device", EVENTS, "event")
                    .listing(READINGS);
    private static final Catalogue CATALOGUE = Keyspace.catalogue(EVENTS, READINGS, LIST);
    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::created).thenComparing(Event::id);

    private Store<Event> events;
    private Store<Reading> readings;

    WalkTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(EVENTS);
        readings = keyspace.store(READINGS);
    }

    /** Stores an event with so many readings; a large text makes a step end early. */
    private Event plant(String device, long created, int parts, int size) {
        Event event = new Event(Shards.mint(device), device, created, 0);
        Commit commit = keyspace.commit(device).create(EVENTS, event);
        for (int i = 0; i < parts; i++) {
            Reading reading =
                    new Reading(
                            Shards.mint(device), device, "n" + i, created, i + "x".repeat(size));
            commit.create(READINGS, reading)
                    .addSorted(LIST.of(device, event.id()), i, reading.id());
        }
        done(commit.run());
        return event;
    }

    private List<Event> plant(int count, int parts, int size) {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(plant("device" + i % 9, i / 10, parts, size));
        }
        all.sort(ORDER);
        return all;
    }

    private static <E> List<E> values(Iterator<Stored<E>> walk) {
        List<E> all = new ArrayList<>();
        walk.forEachRemaining(stored -> all.add(stored.value()));
        return all;
    }

    @Test
    void all_come_in_order_up_and_down_however_many_steps_it_takes() {
        List<Event> all = plant(1300, 0, 0);
        assertThat(values(events.query("event:created").walk(Long.MAX_VALUE))).isEqualTo(all);
        assertThat(values(events.query("event:created").newestFirst().walk(10_000)))
                .isEqualTo(all.reversed());
        assertThat(values(events.query("event:created").newestFirst().walk(777)))
                .isEqualTo(all.reversed().subList(0, 777));
        assertThat(values(events.query("event:created").between(5, 7).walk(100)))
                .isEqualTo(all.subList(50, 80));
        assertThat(values(events.query("event:created").walk(0))).isEmpty();
        assertThat(values(events.query("event:device:{device}", "device3").walk(9999)))
                .isEqualTo(all.stream().filter(e -> e.device().equals("device3")).toList());
        assertThat(values(events.query("event:device:{device}", "nobody").walk(9999))).isEmpty();
    }

    @Test
    void what_is_deleted_while_it_is_walked_neither_repeats_nor_hides_others() {
        List<Event> all = plant(300, 0, 0);
        Set<String> seen = new HashSet<>();
        Iterator<Stored<Event>> walk = events.query("event:created").walk(Long.MAX_VALUE);
        while (walk.hasNext()) {
            Stored<Event> next = walk.next();
            assertThat(seen.add(next.id())).isTrue();
            done(events.delete(next));
        }
        assertThat(seen).hasSize(all.size());
        assertThatThrownBy(walk::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void parts_come_along_in_their_order_also_when_bytes_end_a_step() {
        List<Event> all = plant(60, 4, 20_000);
        Iterator<Whole<Event, Reading>> walk =
                events.query("event:created").newestFirst().walk(50, LIST, READINGS);
        List<Event> found = new ArrayList<>();
        walk.forEachRemaining(
                whole -> {
                    found.add(whole.head().value());
                    assertThat(whole.parts())
                            .extracting(part -> part.value().name())
                            .containsExactly("n0", "n1", "n2", "n3");
                    assertThat(whole.listed()).hasSize(4);
                    assertThat(whole.missing()).isEmpty();
                });
        assertThat(found).isEqualTo(all.reversed().subList(0, 50));
    }

    @Test
    void one_entity_comes_with_its_parts_and_without_those_that_are_gone() {
        Event event = plant("pump", 5, 3, 1);
        Whole<Event, Reading> whole = events.whole(event.id(), LIST, READINGS).orElseThrow();
        assertThat(whole.head().value()).isEqualTo(event);
        assertThat(whole.parts()).hasSize(3);
        Stored<Reading> gone = whole.parts().get(1);
        done(readings.delete(gone));
        Whole<Event, Reading> less = events.whole(event.id(), LIST, READINGS).orElseThrow();
        assertThat(less.parts()).hasSize(2).doesNotContain(gone);
        assertThat(less.missing()).containsExactly(gone.id());
        assertThat(events.whole(gone.id(), LIST, READINGS)).isEmpty();
        String other = whole.parts().getFirst().id();
        assertThat(events.whole(other, LIST, READINGS))
                .as("a reading is not a valid event")
                .isEmpty();
        assertThat(events.whole("nothing", LIST, READINGS)).isEmpty();
        done(keyspace.commit("pump").removeSorted(LIST.of("pump", event.id()), gone.id()).run());
    }

    @Test
    void an_entity_whose_id_others_made_comes_with_its_parts_too() {
        Event event = new Event("57ba04a1189b95b8afcdafd7", "pump", 5, 0);
        Reading reading = new Reading("57b9fe08189b95b8afcdafd4", "pump", "a", 5, "1");
        done(
                keyspace.commit("pump")
                        .create(EVENTS, event)
                        .create(READINGS, reading)
                        .addSorted(LIST.of("pump", event.id()), 0, reading.id())
                        .run());
        assertThat(events.whole(event.id(), LIST, READINGS).orElseThrow().parts())
                .extracting(Stored::value)
                .containsExactly(reading);
    }

    @Test
    void what_is_in_two_indexes_is_found_from_the_smaller_one() {
        List<Reading> wanted = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            String name = i % 400 == 7 ? "rare" : "usual";
            String device = i % 2 == 0 ? "fan" : "pump";
            Reading reading = new Reading(Shards.mint(device), device, name, i, "1");
            done(readings.create(reading));
            if (device.equals("pump") && name.equals("rare")) {
                wanted.addFirst(reading);
            }
        }
        assertThat(wanted).hasSize(7);
        Query<Reading> rare =
                readings.query("reading:device:{device}", "pump")
                        .and("reading:name:{name}", "rare")
                        .newestFirst();
        assertThat(values(rare.walk(100))).isEqualTo(wanted);
        assertThat(values(both("pump", "rare").newestFirst().walk(3)))
                .isEqualTo(wanted.subList(0, 3));
        assertThat(values(both("pump", "usual").walk(9999))).hasSize(1243);
        assertThat(values(both("fan", "rare").walk(9999))).isEmpty();
        assertThat(values(both("pump", "").walk(9999))).isEmpty();
        assertThat(values(both("nobody", "rare").walk(9999))).isEmpty();
    }

    private Query<Reading> both(String device, String name) {
        return readings.query("reading:device:{device}", device).and("reading:name:{name}", name);
    }

    @Test
    void only_a_list_of_these_can_be_walked_along() {
        assertThatThrownBy(() -> events.query("event").walk(1, LIST, EVENTS))
                .hasMessageContaining("is not a list of");
    }
}
