package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Session;
import dev.millrace.keyspace.Plant.Ticket;
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

/** What a store promises for one entity, the same on a single server and on a cluster. */
@OnEachSite
final class StoreTest extends EngineContract {
    private Store<Event> events;
    private Store<Notice> notices;

    StoreTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
        notices = keyspace.store(Plant.NOTICES);
    }

    private static Event event(String device, long created) {
        return new Event(Shards.mint(device), device, created, 0);
    }

    // ---------------------------------------------------------------- create, get

    @Test
    void a_created_entity_is_found_by_id_and_in_each_of_its_indexes() {
        Event event = event("pump", 100);
        done(events.create(event));
        assertThat(events.get(event.id()).map(Stored::value)).contains(event);
        assertThat(raw("pump", "ZSCORE", "event", event.id())).isEqualTo("0");
        assertThat(raw("pump", "ZSCORE", "event:created", event.id())).isEqualTo("100");
        assertThat(raw("pump", "ZSCORE", "event:device:pump", event.id())).isEqualTo("100");
        assertThat(raw("pump", "ZSCORE", "event:pushed", event.id())).isNull();
        assertThat(events.query("event:created").page().values()).containsExactly(event);
    }

    @Test
    void a_create_of_what_exists_is_a_duplicate_and_changes_nothing() {
        Event event = event("pump", 100);
        done(events.create(event));
        notDone(Reason.DUPLICATE, events.create(new Event(event.id(), "pump", 200, 5)));
        assertThat(events.get(event.id()).map(Stored::value)).contains(event);
        assertThat(events.query("event:pushed").count()).isZero();
    }

    @Test
    void what_create_returns_can_be_replaced_and_deleted_without_a_read() {
        Event event = event("pump", 100);
        Stored<Event> created = done(events.create(event));
        Stored<Event> replaced = done(events.replace(created, new Event(event.id(), "pump", 1, 2)));
        assertThat(events.get(event.id())).contains(replaced);
        done(events.delete(replaced));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void many_are_read_in_the_order_of_their_ids_each_once_and_without_those_that_are_absent() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Event event = event("device" + i, i);
            done(events.create(event));
            ids.add(event.id());
        }
        List<String> asked = new ArrayList<>(ids.reversed());
        asked.add(3, Shards.mint("nobody"));
        asked.add(7, "no id at all");
        asked.add(9, ids.getFirst());
        asked.add("57ba04a1189b95b8afcdafd7");
        List<String> expected = new ArrayList<>(ids.reversed());
        expected.remove(ids.getFirst());
        expected.add(7, ids.getFirst());
        assertThat(events.getMany(asked)).extracting(Stored::id).isEqualTo(expected);
        assertThat(events.getMany(List.of())).isEmpty();
    }

    @Test
    void an_id_outside_its_grammar_is_refused_on_write_and_not_found_on_read() {
        Outcome<?> refused = events.create(new Event("pump-1", "pump", 1, 0));
        notDone(Reason.REFUSED, refused);
        assertThat(refused.toString()).contains("pump-1").contains("UUID");
        notDone(Reason.REFUSED, events.put(new Event("../etc", "pump", 1, 0)));
        notDone(Reason.REFUSED, events.create(new Event("", "pump", 1, 0)));
        assertThat(events.get("pump-1")).isEmpty();
        assertThat(events.get("")).isEmpty();
        notDone(Reason.ABSENT, events.delete("event"));
        notDone(Reason.ABSENT, events.update("event:created", each -> each));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_value_that_makes_an_index_key_outside_its_grammar_refuses_the_whole_write() {
        String tooLong = "x".repeat(1025);
        notDone(
                Reason.REFUSED,
                notices.create(new Notice(Shards.mint("s"), "s", null, List.of("short", tooLong))));
        assertThat(allKeys()).isEmpty();
        assertThat(notices.query("notice-label:{label}", tooLong).count()).isZero();
        assertThat(notices.query("notice-label:{label}", tooLong).page().items()).isEmpty();
    }

    @Test
    void an_entity_without_its_owner_is_not_accepted() {
        Event nobodys = new Event(Shards.mint("x"), "", 1, 0);
        Outcome<Stored<Event>> refused = events.create(nobodys);
        notDone(Reason.REFUSED, refused);
        assertThat(refused.toString()).contains("needs a device");
        notDone(Reason.REFUSED, events.put(nobodys));
        notDone(Reason.REFUSED, keyspace.commit("x").create(Plant.EVENTS, nobodys).run());
        assertThat(allKeys()).isEmpty();
    }

    // ---------------------------------------------------------------- put, replace, update

    @Test
    void a_put_creates_or_replaces_with_all_entries() {
        Event event = event("pump", 100);
        done(events.put(event));
        Event later = new Event(event.id(), "pump", 200, 9);
        done(events.put(later));
        assertThat(events.get(event.id()).map(Stored::value)).contains(later);
        assertThat(events.query("event:created").between(100, 100).count()).isZero();
        assertThat(events.query("event:pushed").page().values()).containsExactly(later);
    }

    @Test
    void an_entry_comes_and_goes_with_its_condition() {
        Event event = event("pump", 100);
        Stored<Event> stored = done(events.create(event));
        for (long pushed : List.of(7L, 8L, 0L, 0L, 9L)) {
            stored = done(events.replace(stored, new Event(event.id(), "pump", 100, pushed)));
            assertThat(raw("pump", "ZSCORE", "event:pushed", event.id()))
                    .isEqualTo(pushed == 0 ? null : Long.toString(pushed));
        }
    }

    @Test
    void each_of_several_labels_has_an_entry_and_no_other() {
        String id = Shards.mint("fire");
        Stored<Notice> stored =
                done(notices.create(new Notice(id, "fire", null, List.of("a", "b", "a", ""))));
        assertThat(labelsOf(id)).containsExactlyInAnyOrder("a", "b");
        for (List<String> labels :
                List.of(List.of("b", "c"), List.<String>of(), List.of("c", "d", "e"))) {
            stored = done(notices.replace(stored, new Notice(id, "fire", null, labels)));
            assertThat(labelsOf(id)).containsExactlyInAnyOrderElementsOf(labels);
        }
        done(notices.delete(stored));
        assertThat(allKeys()).isEmpty();
    }

    private List<String> labelsOf(String id) {
        return List.of("a", "b", "c", "d", "e").stream()
                .filter(
                        label ->
                                notices.query("notice-label:{label}", label).page().items().stream()
                                        .anyMatch(each -> each.id().equals(id)))
                .toList();
    }

    @Test
    void an_absent_optional_field_has_no_entry() {
        String id = Shards.mint("fire");
        Stored<Notice> stored = done(notices.create(new Notice(id, "fire", null, List.of())));
        assertThat(allKeys()).noneMatch(key -> key.contains("notice-sender"));
        stored = done(notices.replace(stored, new Notice(id, "fire", "ada", List.of())));
        assertThat(notices.query("notice-sender:{sender}", "ada").count()).isEqualTo(1);
        done(notices.replace(stored, new Notice(id, "fire", "", List.of())));
        assertThat(allKeys()).noneMatch(key -> key.contains("notice-sender"));
    }

    @Test
    void a_replace_or_delete_of_what_was_changed_meanwhile_is_a_conflict() {
        Event event = event("pump", 100);
        Stored<Event> old = done(events.create(event));
        Event newer = new Event(event.id(), "pump", 101, 0);
        done(events.replace(old, newer));
        notDone(Reason.CONFLICT, events.replace(old, new Event(event.id(), "pump", 102, 0)));
        notDone(Reason.CONFLICT, events.delete(old));
        assertThat(events.get(event.id()).map(Stored::value)).contains(newer);
        done(events.delete(event.id()));
        notDone(Reason.ABSENT, events.replace(old, newer));
        notDone(Reason.ABSENT, events.delete(old));
        notDone(Reason.ABSENT, events.delete(event.id()));
        notDone(Reason.ABSENT, events.update(event.id(), each -> each));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_replace_keeps_the_id() {
        Stored<Event> stored = done(events.create(event("pump", 1)));
        assertThatThrownBy(() -> events.replace(stored, event("pump", 2)))
                .hasMessageContaining("keeps the id");
    }

    @Test
    void concurrent_updates_of_one_entity_are_all_counted() {
        String id = Shards.mint("pump");
        done(events.create(new Event(id, "pump", 0, 0)));
        long counted =
                Crowd.ask(
                                100,
                                thread ->
                                        events.update(
                                                id,
                                                old -> new Event(id, "pump", old.created() + 1, 0)))
                        .stream()
                        .filter(Outcome::isDone)
                        .count();
        assertThat(events.get(id).orElseThrow().value().created()).isEqualTo(counted).isPositive();
    }

    @Test
    void an_entity_that_changes_its_owner_moves_with_all_its_entries() {
        Event event = event("pump", 100);
        done(events.create(event));
        for (String device : List.of("valve", "tank", "mill", "pump", "press")) {
            done(events.update(event.id(), old -> new Event(old.id(), device, 100, 7)));
            assertThat(events.get(event.id()).map(Stored::value))
                    .contains(new Event(event.id(), device, 100, 7));
            assertThat(events.query("event:device:{device}", device).count()).isEqualTo(1);
            assertThat(events.query("event").count()).isEqualTo(1);
        }
        done(events.delete(event.id()));
        assertThat(allKeys()).isEmpty();
    }

    // ---------------------------------------------------------------- kinds of layouts

    @Test
    void a_value_with_a_time_to_live_gets_it_anew_with_each_write() {
        Store<Session> sessions = keyspace.store(Plant.SESSIONS);
        Stored<Session> stored = done(sessions.create(new Session("t1", "ada")));
        for (int i = 0; i < 3; i++) {
            assertThat((Long) raw("t1", "PTTL", "session:t1")).isBetween(3_000_000L, 3_600_000L);
            raw("t1", "PEXPIRE", "session:t1", "1000000");
            stored =
                    i == 0
                            ? done(sessions.put(new Session("t1", "bob")))
                            : done(sessions.replace(stored, new Session("t1", "eve")));
        }
        assertThat(sessions.get("t1").map(each -> each.value().user())).contains("eve");
        done(sessions.delete("t1"));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_key_with_a_hash_tag_of_its_own_is_the_same_everywhere() {
        Store<Ticket> tickets = keyspace.store(Plant.TICKETS);
        Stored<Ticket> stored = done(tickets.create(new Ticket("t 1", "first")));
        assertThat(allKeys()).containsExactly("ticket.{t 1}");
        notDone(Reason.DUPLICATE, tickets.create(new Ticket("t 1", "again")));
        done(tickets.replace(stored, new Ticket("t 1", "second")));
        assertThat(tickets.get("t 1").map(Stored::value)).contains(new Ticket("t 1", "second"));
        assertThat(tickets.getMany(List.of("t 1", "t 2"))).hasSize(1);
        done(tickets.delete("t 1"));
        assertThat(allKeys()).isEmpty();
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
