package dev.millrace.keyspace;

import static dev.millrace.keyspace.check.Finding.Kind.LEFTOVER;
import static dev.millrace.keyspace.check.Finding.Kind.ORPHAN_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.ORPHAN_LIST;
import static dev.millrace.keyspace.check.Finding.Kind.STALE_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.WRONG_SCORE;
import static dev.millrace.keyspace.check.Finding.Kind.WRONG_TYPE;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Leftover;
import dev.millrace.keyspace.memory.Census;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What it takes to take over a database of others: lists of entities beside an entity, entries that
 * others write and we would not, keys that nobody needs.
 */
@OnEachSite
final class AdoptTest extends EngineContract {
    private static final Layout<Event> EVENTS =
            Layout.json("{id:id}", Event.class)
                    .ownedBy("device")
                    .kind("event")
                    .sorted("event", 0)
                    .sorted("event:pushed", Event::pushed)
                    .when(Event::isPushed)
                    .toleratingAt(0);

    private static final Layout<Reading> READINGS = Plant.readings();

    private static final Cell PARTS =
            Cell.of(KeyType.SORTED_SET, "event:readings:{event:id}")
                    .livesBeside("device", EVENTS, "event")
                    .listing(READINGS);

    private static final Leftover DELETED =
            Leftover.of(KeyType.STRING, "gc:event:{id:id}", "Its user had deleted it.");

    private static final Leftover UNREAD =
            Leftover.of(KeyType.SORTED_SET, "reading:device:", "All of it is in `reading`.");

    private static final Catalogue CATALOGUE =
            Keyspace.catalogue(EVENTS, READINGS, PARTS, DELETED, UNREAD, Plant.documents());

    private final Event event = new Event(Shards.mint("pump"), "pump", 7, 0);
    private final Event pushed = new Event(Shards.mint("pump"), "pump", 8, 9);
    private final Reading first = new Reading(Shards.mint("pump"), "pump", "t", 7, "20");
    private final Reading second = new Reading(Shards.mint("pump"), "pump", "p", 7, "3");
    private final String nobody = Shards.mint("pump");

    AdoptTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void storeAnEventWithTwoReadings() {
        Cell.Key parts = PARTS.of("pump", event.id());
        done(
                keyspace.commit("pump")
                        .create(EVENTS, event)
                        .create(READINGS, first)
                        .create(READINGS, second)
                        .addSorted(parts, 0, first.id())
                        .addSorted(parts, 1, second.id())
                        .run());
        done(keyspace.store(EVENTS).create(pushed));
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    private void isMended(Finding.Kind kind, String key) {
        for (Check check : List.of(keyspace.check(), keyspace.check().repairing())) {
            CheckReport report = check.run();
            assertThat(report.findings()).extracting(Finding::kind).containsExactly(kind);
            assertThat(report.findings()).extracting(Finding::key).containsExactly(key);
        }
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    private String list(String id) {
        return "event:readings:" + id;
    }

    // ---------------------------------------------------------------- lists

    @Test
    void a_member_without_its_entity_leaves_its_list_and_the_others_stay() {
        raw("pump", "ZADD", list(event.id()), "2", nobody);
        isMended(ORPHAN_ENTRY, fullKey("pump", list(event.id())));
        assertThat(raw("pump", "ZRANGE", list(event.id()), "0", "-1"))
                .isEqualTo(List.of(first.id(), second.id()));
    }

    @Test
    void a_member_that_can_be_no_id_leaves_its_list() {
        raw("pump", "ZADD", list(event.id()), "2", "no id at all");
        isMended(ORPHAN_ENTRY, fullKey("pump", list(event.id())));
    }

    @Test
    void a_member_of_another_kind_leaves_its_list_and_stays_itself() {
        raw("pump", "ZADD", list(event.id()), "2", pushed.id());
        isMended(STALE_ENTRY, fullKey("pump", list(event.id())));
        assertThat(keyspace.store(EVENTS).get(pushed.id())).isPresent();
    }

    @Test
    void a_list_without_its_entity_goes_as_a_whole_and_what_it_lists_stays() {
        raw("pump", "ZADD", list(nobody), "0", first.id());
        isMended(ORPHAN_LIST, fullKey("pump", list(nobody)));
        assertThat(keyspace.store(READINGS).get(first.id())).isPresent();
        assertThat(raw("pump", "ZCARD", list(event.id()))).isEqualTo(2L);
    }

    @Test
    void events_that_come_and_go_meanwhile_keep_what_is_theirs() throws InterruptedException {
        List<Event> kept = new CopyOnWriteArrayList<>();
        Thread writer =
                Thread.startVirtualThread(
                        () -> {
                            for (int i = 0; i < 300; i++) {
                                String device = "mill-" + i % 5;
                                Event each = new Event(Shards.mint(device), device, i, 0);
                                store(each);
                                if (i % 3 == 0) {
                                    kept.add(each);
                                } else {
                                    delete(each);
                                }
                            }
                        });
        CheckReport last;
        do {
            last = keyspace.check().repairing().run();
            assertThat(last.findings()).isEmpty();
        } while (writer.isAlive());
        writer.join();
        assertThat(kept).hasSize(100);
        for (Event each : kept) {
            assertThat(raw(each.device(), "ZCARD", list(each.id()))).isEqualTo(2L);
        }
    }

    private void store(Event each) {
        Commit commit = keyspace.commit(each.device()).create(EVENTS, each);
        for (int i = 0; i < 2; i++) {
            String id = Shards.mint(each.device());
            commit.create(READINGS, new Reading(id, each.device(), "n", each.created(), "1"))
                    .addSorted(PARTS.of(each.device(), each.id()), i, id);
        }
        done(commit.run());
    }

    private void delete(Event each) {
        Store<Event> events = keyspace.store(EVENTS);
        Cell.Key parts = PARTS.of(each.device(), each.id());
        done(
                keyspace.commit(each.device())
                        .delete(EVENTS, events.get(each.id()).orElseThrow())
                        .delete(parts)
                        .run());
    }

    @Test
    void an_unreadable_entity_keeps_its_list_and_its_place_in_one() {
        driftIsExpected();
        raw("pump", "SET", event.id(), "{");
        raw("pump", "SET", first.id(), "{");
        Map<String, Object> before = site.dump();
        keyspace.check().repairing().run();
        assertThat(site.dump()).isEqualTo(before);
    }

    @Test
    void a_list_of_another_type_is_reported_and_left() {
        driftIsExpected();
        raw("pump", "DEL", list(event.id()));
        raw("pump", "SADD", list(event.id()), nobody);
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.found()).isEqualTo(Map.of(WRONG_TYPE, 1L));
        assertThat(raw("pump", "SCARD", list(event.id()))).isEqualTo(1L);
    }

    @Test
    void many_lists_are_walked_in_small_steps_and_what_a_stopped_check_left_the_next_one_mends() {
        List<String> lists = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String device = "pump-" + i % 7;
            Event each = new Event(Shards.mint(device), device, i, 0);
            done(keyspace.store(EVENTS).create(each));
            for (int member = 0; member < (i == 0 ? 400 : 3); member++) {
                String id = Shards.mint(device);
                raw(device, "ZADD", list(each.id()), "0", id);
            }
            lists.add(list(each.id()));
        }
        AtomicInteger steps = new AtomicInteger();
        Check cutShort = keyspace.check().repairing();
        cutShort.stoppedBy(() -> steps.incrementAndGet() > 20);
        CheckReport half = cutShort.run();
        assertThat(half.end()).isEqualTo(CheckReport.End.STOPPED);
        CheckReport whole = keyspace.check().repairing().run();
        assertThat(whole.found()).isEqualTo(Map.of(ORPHAN_ENTRY, 299L * 3 + 400 - half.repaired()));
        assertThat(whole.left()).isZero();
        assertThat(lists).noneMatch(key -> allKeys().contains(key));
    }

    // ---------------------------------------------------------------- tolerated entries

    @Test
    void an_entry_that_others_write_is_no_drift_while_its_value_exists() {
        raw("pump", "ZADD", "event:pushed", "0", event.id());
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.findings()).isEmpty();
        assertThat(raw("pump", "ZSCORE", "event:pushed", event.id())).isEqualTo("0");
        raw("pump", "ZADD", "event:pushed", "0", nobody);
        isMended(ORPHAN_ENTRY, fullKey("pump", "event:pushed"));
    }

    @Test
    void it_goes_with_the_entity() {
        Store<Event> events = keyspace.store(EVENTS);
        raw("pump", "ZADD", "event:pushed", "0", event.id());
        done(events.delete(events.get(event.id()).orElseThrow()));
        raw("pump", "DEL", list(event.id()));
        assertThat(raw("pump", "ZSCORE", "event:pushed", event.id())).isNull();
    }

    @Test
    void it_is_overwritten_by_the_entry_that_the_entity_asks_for() {
        Store<Event> events = keyspace.store(EVENTS);
        raw("pump", "ZADD", "event:pushed", "0", event.id());
        done(
                events.update(
                        event.id(),
                        each -> new Event(each.id(), each.device(), each.created(), 12)));
        assertThat(raw("pump", "ZSCORE", "event:pushed", event.id())).isEqualTo("12");
        assertThat(events.query("event:pushed").between(1, Double.MAX_VALUE).count()).isEqualTo(2);
    }

    @Test
    void another_score_is_drift_and_so_is_this_one_where_the_entity_asks_for_another() {
        raw("pump", "ZADD", "event:pushed", "3", event.id());
        isMended(STALE_ENTRY, fullKey("pump", "event:pushed"));
        raw("pump", "ZADD", "event:pushed", "0", pushed.id());
        isMended(WRONG_SCORE, fullKey("pump", "event:pushed"));
        assertThat(raw("pump", "ZSCORE", "event:pushed", pushed.id())).isEqualTo("9");
    }

    // ---------------------------------------------------------------- leftovers

    @Test
    void what_others_left_behind_is_named_and_removed() {
        raw("pump", "SET", "gc:event:" + nobody, "{}");
        isMended(LEFTOVER, fullKey("pump", "gc:event:" + nobody));
        for (int i = 0; i < 200; i++) {
            raw("pump", "ZADD", "reading:device:", "0", "r" + i);
        }
        isMended(LEFTOVER, fullKey("pump", "reading:device:"));
    }

    @Test
    void a_leftover_of_another_type_is_reported_and_left() {
        driftIsExpected();
        raw("pump", "HSET", "gc:event:" + nobody, "f", "v");
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.found()).isEqualTo(Map.of(WRONG_TYPE, 1L));
        assertThat(raw("pump", "HLEN", "gc:event:" + nobody)).isEqualTo(1L);
    }

    @Test
    void keys_that_only_look_alike_are_nobodys_and_stay() {
        raw("pump", "SET", "gc:event:mine", "{}");
        raw("pump", "ZADD", nobody, "1", "x");
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknown()).isEqualTo(2);
        assertThat(raw("pump", "EXISTS", "gc:event:mine")).isEqualTo(1L);
        assertThat(raw("pump", "ZCARD", nobody)).isEqualTo(1L);
    }

    @Test
    void nobody_else_may_write_there() {
        Store<Plant.Document> documents = keyspace.store(documentLayout());
        notDone(Reason.REFUSED, documents.create(new Plant.Document("gc:event:" + nobody, "mine")));
    }

    @Test
    void the_census_and_the_key_reference_know_them() {
        raw("pump", "SET", "gc:event:" + nobody, "{}");
        Census census = keyspace.census(Pace.FULL, seen -> {});
        Optional<Long> count =
                census.keys().entrySet().stream()
                        .filter(each -> each.getKey().owner() == DELETED)
                        .map(Map.Entry::getValue)
                        .findFirst();
        assertThat(count).contains(1L);
        assertThat(CATALOGUE.markdown())
                .contains("What another system left behind")
                .contains("`gc:event:{id:id}`")
                .contains("Its user had deleted it.")
                .contains("in `event:pushed` with the score 0 is left alone");
        raw("pump", "DEL", "gc:event:" + nobody);
    }

    @SuppressWarnings("unchecked") // it is the one layout of that name in the catalogue above
    private static Layout<Plant.Document> documentLayout() {
        return (Layout<Plant.Document>)
                CATALOGUE.layouts().stream()
                        .filter(each -> each.name().equals("Document"))
                        .findFirst()
                        .orElseThrow();
    }
}
