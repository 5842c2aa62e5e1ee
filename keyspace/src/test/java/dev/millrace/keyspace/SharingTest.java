package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Reader;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.Plant.Rule;
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

import java.util.List;

/** Who may have a name or a key: unique fields, kinds under one pattern, the rest, the losers. */
@OnEachSite
final class SharingTest extends EngineContract {
    private static final String FOREIGN_ID = "57ba04a1189b95b8afcdafd7";

    private Store<Event> events;
    private Store<Reading> readings;
    private Store<Notice> notices;
    private Store<Reader> readers;
    private Store<Document> documents;

    SharingTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
        readings = keyspace.store(Plant.READINGS);
        notices = keyspace.store(Plant.NOTICES);
        readers = keyspace.store(Plant.READERS);
        documents = keyspace.store(Plant.DOCUMENTS);
    }

    private static Notice notice(String id, String slug) {
        return new Notice(id, slug, null, List.of("l"));
    }

    // ---------------------------------------------------------------- unique fields

    @Test
    void an_entity_is_found_by_its_unique_field() {
        Notice fire = notice(Shards.mint("fire"), "fire");
        done(notices.create(fire));
        assertThat(notices.find("notice-slug", "fire").map(Stored::value)).contains(fire);
        assertThat(notices.find("notice-slug", "water")).isEmpty();
        done(notices.delete(fire.id()));
        assertThat(notices.find("notice-slug", "fire")).isEmpty();
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_unique_field_belongs_to_one_id_only() {
        for (String second : List.of(Shards.mint("fire"), FOREIGN_ID)) {
            Notice fire = notice(Shards.mint("fire"), "fire");
            Stored<Notice> stored = done(notices.create(fire));
            notDone(Reason.DUPLICATE, notices.create(notice(second, "fire")));
            notDone(Reason.DUPLICATE, notices.put(notice(second, "fire")));
            assertThat(notices.get(second)).isEmpty();
            assertThat(notices.find("notice-slug", "fire")).contains(stored);
            // The same id may be used with another name at once.
            done(notices.create(notice(second, "water")));
            assertThat(notices.get(second).map(Stored::value)).contains(notice(second, "water"));
            done(notices.delete(second));
            done(notices.delete(fire.id()));
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void a_unique_field_can_be_changed_and_is_free_again() {
        for (String id : List.of(Shards.mint("fire"), FOREIGN_ID)) {
            done(notices.create(notice(id, "fire")));
            for (String slug : List.of("water", "smoke", "gas", "fire", "dust")) {
                done(notices.update(id, old -> notice(id, slug)));
                assertThat(notices.find("notice-slug", slug).map(Stored::id)).contains(id);
                assertThat(notices.query("notices").count()).isEqualTo(1);
            }
            assertThat(notices.find("notice-slug", "fire")).isEmpty();
            done(notices.create(notice(Shards.mint("fire"), "fire")));
            done(notices.query("notices").delete(each -> {}));
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void a_unique_field_cannot_be_changed_to_a_taken_one_and_nothing_is_lost() {
        Notice water = notice(Shards.mint("water"), "water");
        done(notices.create(water));
        for (String id : List.of(Shards.mint("fire"), FOREIGN_ID)) {
            Stored<Notice> fire = done(notices.create(notice(id, "fire")));
            notDone(Reason.DUPLICATE, notices.replace(fire, notice(id, "water")));
            notDone(Reason.DUPLICATE, notices.put(notice(id, "water")));
            notDone(Reason.DUPLICATE, notices.update(id, old -> notice(id, "water")));
            assertThat(notices.get(id).map(Stored::value)).contains(fire.value());
            assertThat(notices.find("notice-slug", "fire").map(Stored::id)).contains(id);
            assertThat(notices.find("notice-slug", "water").map(Stored::value)).contains(water);
            done(notices.delete(id));
        }
        done(notices.delete(water.id()));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_unique_field_of_the_site_changes_in_place() {
        String ada = Shards.mint("");
        String bob = Shards.mint("");
        Stored<Reader> stored = done(readers.create(new Reader(ada, "ada", "early")));
        done(readers.create(new Reader(bob, "bob", "late")));
        notDone(Reason.DUPLICATE, readers.replace(stored, new Reader(ada, "bob", "early")));
        done(readers.replace(stored, new Reader(ada, "eve", "late")));
        assertThat(readers.find("reader-name", "ada")).isEmpty();
        assertThat(readers.find("reader-name", "eve").map(Stored::id)).contains(ada);
        assertThat(readers.query("reader-shift:{shift}", "late").count()).isEqualTo(2);
        done(readers.create(new Reader(Shards.mint(""), "ada", "early")));
    }

    @Test
    void of_many_who_want_one_name_at_once_exactly_one_gets_it() {
        for (int round = 0; round < 5; round++) {
            String slug = "slug" + round;
            List<Outcome<Stored<Notice>>> all =
                    Crowd.ask(
                            20,
                            thread ->
                                    notices.create(
                                            notice(
                                                    thread % 2 == 0
                                                            ? Shards.mint(slug)
                                                            : "%024x".formatted(thread + 1L),
                                                    slug)));
            assertThat(all).filteredOn(Outcome::isDone).hasSize(1);
            assertThat(all).filteredOn(each -> each.failedBy(Reason.DUPLICATE)).hasSize(19);
            assertThat(notices.find("notice-slug", slug)).isPresent();
        }
        assertThat(notices.query("notices").count()).isEqualTo(5);
    }

    // ---------------------------------------------------------------- kinds

    @Test
    void an_id_of_one_kind_is_taken_for_the_other_kind_too() {
        for (String id : List.of(Shards.mint("pump"), FOREIGN_ID)) {
            for (String device : List.of("pump", "valve")) {
                done(events.create(new Event(id, "pump", 1, 0)));
                Reading reading = new Reading(id, device, "t", 1, "9");
                notDone(Reason.DUPLICATE, readings.create(reading));
                notDone(Reason.DUPLICATE, readings.put(reading));
                assertThat(events.get(id)).isPresent();
                assertThat(readings.query("reading").count()).isZero();
                done(events.delete(id));
                done(readings.create(reading));
                notDone(Reason.DUPLICATE, events.create(new Event(id, "pump", 1, 0)));
                done(readings.delete(id));
                assertThat(allKeys()).isEmpty();
            }
        }
    }

    @Test
    void through_the_wrong_layout_nothing_is_seen_changed_or_deleted() {
        for (String id : List.of(Shards.mint("pump"), FOREIGN_ID)) {
            Stored<Reading> reading = done(readings.create(new Reading(id, "pump", "t", 1, "9")));
            assertThat(events.get(id)).isEmpty();
            assertThat(events.getMany(List.of(id))).isEmpty();
            notDone(Reason.ABSENT, events.delete(id));
            notDone(Reason.ABSENT, events.update(id, old -> old));
            Event forged = new Event(id, "pump", 1, 0);
            Stored<Event> stolen = new Stored<>(id, forged, reading.raw(), reading.place());
            notDone(Reason.ABSENT, events.replace(stolen, forged));
            notDone(Reason.ABSENT, events.delete(stolen));
            notDone(Reason.ABSENT, events.replace(stolen, new Event(id, "valve", 1, 0)));
            assertThat(readings.get(id)).contains(reading);
            done(readings.delete(id));
            assertThat(allKeys()).isEmpty();
        }
    }

    // ---------------------------------------------------------------- the rest

    @Test
    void a_document_lives_where_nobody_else_could() {
        for (String key : List.of("recipe", "a:b:c", "store::x", Shards.mint("x"), FOREIGN_ID)) {
            done(documents.put(new Document(key, "one")));
            done(documents.put(new Document(key, "two")));
            notDone(Reason.DUPLICATE, documents.create(new Document(key, "three")));
            assertThat(documents.get(key).map(each -> each.value().body())).contains("two");
            assertThat(documents.query("plant-documents").count()).isEqualTo(1);
            done(documents.delete(key));
            assertThat(allKeys()).isEmpty();
        }
    }

    @Test
    void a_document_is_refused_on_a_key_of_any_other_declaration() {
        for (String key :
                List.of(
                        "event",
                        "event:created",
                        "event:device:pump",
                        "notice:" + FOREIGN_ID,
                        "notice-slug",
                        "alarm:hot",
                        "alarm:events",
                        "alarm:rule:hot",
                        "counter:x",
                        "plant-documents",
                        "millrace:seq",
                        "millrace:home:x",
                        "millrace:moved:x",
                        "millrace:feed:x")) {
            Outcome<?> refused = documents.put(new Document(key, "mine"));
            notDone(Reason.REFUSED, refused);
            assertThat(refused.toString()).containsAnyOf("reserved for", "Millrace's own");
            notDone(Reason.REFUSED, documents.create(new Document(key, "mine")));
            assertThat(documents.get(key)).isEmpty();
        }
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_document_is_refused_where_something_else_is_already() {
        for (String id : List.of(Shards.mint("pump"), FOREIGN_ID)) {
            done(events.create(new Event(id, "pump", 1, 0)));
            notDone(Reason.REFUSED, documents.put(new Document(id, "mine")));
            notDone(Reason.DUPLICATE, documents.create(new Document(id, "mine")));
            assertThat(documents.get(id)).isEmpty();
            notDone(Reason.ABSENT, documents.delete(id));
            done(events.delete(id));
            done(documents.put(new Document(id, "mine")));
            notDone(Reason.DUPLICATE, events.create(new Event(id, "pump", 1, 0)));
            assertThat(events.get(id)).isEmpty();
            done(documents.delete(id));
        }
        raw("theirs", "SET", "theirs", "{}");
        notDone(Reason.REFUSED, documents.put(new Document("theirs", "mine")));
        assertThat(raw("theirs", "GET", "theirs")).isEqualTo("{}");
        assertThat(documents.get("theirs")).isEmpty();
        raw("list", "RPUSH", "list", "x");
        notDone(Reason.REFUSED, documents.put(new Document("list", "mine")));
    }

    @Test
    void a_key_that_leaves_the_grammar_is_refused() {
        for (String key : List.of("", ":", "a:", "a b", "a{b}", "ä", "a\nb")) {
            notDone(Reason.REFUSED, documents.put(new Document(key, "mine")));
            assertThat(documents.get(key)).isEmpty();
        }
        assertThat(allKeys()).isEmpty();
    }

    // ---------------------------------------------------------------- losers

    @Test
    void an_id_that_leads_to_a_winner_s_key_is_refused() {
        Store<Alarm> alarms = keyspace.store(Plant.ALARMS);
        Store<Rule> rules = keyspace.store(Plant.RULES);
        Outcome<?> refused = alarms.create(new Alarm("events", "active", "1"));
        notDone(Reason.REFUSED, refused);
        assertThat(refused.toString()).contains("alarm:events");
        notDone(Reason.REFUSED, alarms.put(new Alarm("events", "active", "1")));
        notDone(Reason.REFUSED, rules.create(new Rule("index", "s", "f", 1, true)));
        done(keyspace.commitAtSite().push(Plant.ALARM_EVENTS.at(), new byte[] {1}, 5).run());
        assertThat(alarms.get("events")).isEmpty();
        assertThat(alarms.getMany(List.of("events"))).isEmpty();
        notDone(Reason.ABSENT, alarms.delete("events"));
        done(alarms.create(new Alarm("events2", "active", "1")));
        assertThat(Plant.CATALOGUE.refusal(Plant.ALARMS, "events")).isPresent();
        assertThat(Plant.CATALOGUE.refusal(Plant.ALARMS, "events2")).isEmpty();
        assertThat(Plant.CATALOGUE.refusal(Plant.ALARMS, "a b"))
                .hasValueSatisfying(why -> assertThat(why).contains("not a valid id of Alarm"));
    }
}
