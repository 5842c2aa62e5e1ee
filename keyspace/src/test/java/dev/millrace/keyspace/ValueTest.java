package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Point;
import dev.millrace.keyspace.Plant.Rule;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What lies in a value: what is kept of others, and what is not a value at all. */
@OnEachSite
final class ValueTest extends EngineContract {
    private Store<Event> events;
    private Store<Point> points;
    private Store<Alarm> alarms;

    ValueTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
        points = keyspace.store(Plant.POINTS);
        alarms = keyspace.store(Plant.ALARMS);
    }

    // ---------------------------------------------------------------- JSON

    @Test
    void members_that_the_record_does_not_know_survive_a_replace_as_they_were() {
        String id = Shards.mint("pump");
        done(events.create(new Event(id, "pump", 1, 0)));
        String theirs =
                "\"unit\":\"bar\",\"exact\":0.12345678901234567890123,\"tenth\":1.10,"
                        + "\"large\":123456789012345678901234567890,\"far\":1E+400,"
                        + "\"deep\":{\"a\":[1,null,{\"b\":\"\\u0007\"}]},\"nothing\":null";
        raw(
                "pump",
                "SET",
                id,
                "{\"id\":\"%s\",\"device\":\"pump\",\"created\":1,\"pushed\":0,%s}"
                        .formatted(id, theirs));
        Stored<Event> stored = events.get(id).orElseThrow();
        for (long created = 2; created < 5; created++) {
            stored = done(events.replace(stored, new Event(id, "pump", created, 0)));
        }
        assertThat(String.valueOf(raw("pump", "GET", id)))
                .isEqualToIgnoringCase(
                        "{\"id\":\"%s\",\"device\":\"pump\",\"created\":4,\"pushed\":0,%s}"
                                .formatted(id, theirs));
        raw("pump", "ZADD", "event:created", "4", id);
        raw("pump", "ZADD", "event:device:pump", "4", id);
    }

    @Test
    void a_value_that_cannot_be_read_is_neither_an_answer_nor_removed() {
        driftIsExpected();
        Event event = new Event(Shards.mint("pump"), "pump", 1, 0);
        done(events.create(event));
        for (String damaged :
                List.of(
                        "",
                        "{",
                        "null",
                        "[]",
                        "7",
                        "{}",
                        "{\"id\":7}",
                        "{\"id\":\"" + event.id() + "\"}",
                        "{\"id\":\"" + event.id() + "\",\"device\":\"\"}")) {
            raw("pump", "SET", event.id(), damaged);
            assertThatThrownBy(() -> events.get(event.id()))
                    .isInstanceOf(UndecodableException.class)
                    .hasMessageContaining(event.id());
            assertThat(events.query("event:created").page().items()).isEmpty();
            notDone(Reason.DUPLICATE, events.create(event));
            assertThat(raw("pump", "GET", event.id())).isEqualTo(damaged);
        }
    }

    @Test
    void a_value_that_says_it_is_another_one_is_no_value() {
        driftIsExpected();
        Event event = new Event(Shards.mint("pump"), "pump", 1, 0);
        done(events.create(event));
        String other = Shards.mint("pump");
        Object bytes = raw("pump", "GET", event.id());
        raw("pump", "SET", other, String.valueOf(bytes));
        raw("pump", "ZADD", "event", "0", other);
        assertThatThrownBy(() -> events.get(other)).isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> events.delete(other)).isInstanceOf(UndecodableException.class);
        assertThat(events.query("event").page().values()).containsExactly(event);
    }

    // ---------------------------------------------------------------- hashes

    @Test
    void a_hash_has_a_field_for_what_its_key_does_not_say() {
        done(points.create(new Point("c1", "p1", 2.5, "bar", null)));
        assertThat(fields("c1", "point:c1:p1")).isEqualTo(Map.of("value", "2.5", "unit", "bar"));
        assertThat(points.get("c1:p1").map(Stored::value))
                .contains(new Point("c1", "p1", 2.5, "bar", null));
    }

    @Test
    void fields_that_become_null_are_removed_by_replace_and_by_put() {
        Stored<Point> stored = done(points.create(new Point("c1", "p1", 2.5, "bar", 7L)));
        done(points.replace(stored, new Point("c1", "p1", 2, null, 8L)));
        assertThat(fields("c1", "point:c1:p1")).isEqualTo(Map.of("value", "2", "at", "8"));
        done(points.put(new Point("c1", "p1", 3, "l", null)));
        assertThat(fields("c1", "point:c1:p1")).isEqualTo(Map.of("value", "3", "unit", "l"));
        assertThat(points.get("c1:p1").map(Stored::value))
                .contains(new Point("c1", "p1", 3, "l", null));
    }

    @Test
    void fields_that_the_layout_does_not_declare_are_never_touched() {
        Stored<Point> stored = done(points.create(new Point("c1", "p1", 1, null, null)));
        raw("c1", "HSET", "point:c1:p1", "theirs", "kept", "quality", "good");
        done(points.replace(stored, new Point("c1", "p1", 2, "bar", null)));
        done(points.put(new Point("c1", "p1", 3, null, null)));
        assertThat(fields("c1", "point:c1:p1"))
                .isEqualTo(Map.of("value", "3", "theirs", "kept", "quality", "good"));
        assertThat(points.get("c1:p1").map(Stored::raw))
                .contains(
                        new Raw.Fields(Map.of("value", "3", "theirs", "kept", "quality", "good")));
        done(points.delete("c1:p1"));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_replace_of_a_hash_compares_only_what_its_entries_are_made_from() {
        Stored<Alarm> stored = done(alarms.create(new Alarm("hot", "active", "85")));
        raw("hot", "HSET", "alarm:hot", "value", "86");
        stored = done(alarms.replace(stored, new Alarm("hot", "active", "87")));
        raw("hot", "HSET", "alarm:hot", "status", "cleared");
        raw("hot", "SREM", "idx:alarm:active", "hot");
        notDone(Reason.CONFLICT, alarms.replace(stored, new Alarm("hot", "active", "88")));
        notDone(Reason.CONFLICT, alarms.delete(stored));
        assertThat(fields("hot", "alarm:hot"))
                .isEqualTo(Map.of("status", "cleared", "value", "87"));
    }

    @Test
    void a_missing_number_is_zero_and_a_missing_truth_is_false() {
        raw(Declaration.SITE, "HSET", "alarm:rule:r1", "source", "comsrv:1:T", "field", "101");
        raw(Declaration.SITE, "SADD", "alarm:rule:index", "r1");
        raw(Declaration.SITE, "SADD", "idx:alarm:watch:comsrv:1:T:101", "r1");
        assertThat(keyspace.store(Plant.RULES).get("r1").map(Stored::value))
                .contains(new Rule("r1", "comsrv:1:T", "101", 0, false));
    }

    @Test
    void a_hash_without_any_field_cannot_be_stored() {
        record Bare(String name, String note) {}
        Layout<Bare> bare =
                Layout.hash("bare:{name:name}", Bare.class).ownedByItself().set("bares");
        Keyspace own = new Keyspace(redis, Keyspace.catalogue(bare));
        Store<Bare> store = own.store(bare);
        @SuppressWarnings("NullAway") // what a room may build by mistake
        Bare empty = new Bare("b", null);
        assertThatThrownBy(() -> store.create(empty)).hasMessageContaining("no field");
        assertThatThrownBy(() -> store.put(empty)).hasMessageContaining("no field");
        assertThat(allKeys()).isEmpty();
        Stored<Bare> stored = done(store.create(new Bare("b", "note")));
        assertThatThrownBy(() -> store.replace(stored, empty)).hasMessageContaining("no field");
        done(store.delete(stored));
    }

    // ---------------------------------------------------------------- wrong types

    @Test
    void a_wrong_type_at_the_value_is_told_and_left_as_it_is() {
        driftIsExpected();
        String id = Shards.mint("pump");
        raw("pump", "RPUSH", id, "theirs");
        notDone(Reason.DUPLICATE, events.create(new Event(id, "pump", 1, 0)));
        raw("c1", "SET", "point:c1:p1", "theirs");
        notDone(Reason.WRONG_TYPE, points.put(new Point("c1", "p1", 1, null, null)));
        assertThat(raw("pump", "LRANGE", id, "0", "-1")).isEqualTo(List.of("theirs"));
        assertThat(allKeys()).isEqualTo(Set.of(fullKey("pump", id), fullKey("c1", "point:c1:p1")));
    }

    @Test
    void a_wrong_type_at_any_index_refuses_the_whole_write() {
        driftIsExpected();
        Event event = new Event(Shards.mint("pump"), "pump", 1, 5);
        for (String key : List.of("event", "event:created", "event:pushed", "event:device:pump")) {
            raw("pump", "SET", key, "theirs");
            notDone(Reason.WRONG_TYPE, events.create(event));
            assertThat(allKeys()).isEqualTo(Set.of(fullKey("pump", key)));
            raw("pump", "DEL", key);
        }
        Stored<Event> stored = done(events.create(event));
        Set<String> before = allKeys();
        raw("pump", "DEL", "event:pushed");
        raw("pump", "SET", "event:pushed", "theirs");
        notDone(Reason.WRONG_TYPE, events.replace(stored, new Event(event.id(), "pump", 2, 0)));
        notDone(Reason.WRONG_TYPE, events.delete(stored));
        assertThat(allKeys()).isEqualTo(before);
        assertThat(events.get(event.id())).contains(stored);
    }

    private Map<?, ?> fields(String owner, String key) {
        List<?> flat = (List<?>) raw(owner, "HGETALL", key);
        Map<Object, Object> fields = new java.util.HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i), flat.get(i + 1));
        }
        return fields;
    }
}
