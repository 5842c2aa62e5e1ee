package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.memory.Census;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.TreeMap;

/** What is ours and what is not, counted and checked in a Redis that others use too. */
@OnEachSite
final class CensusTest extends EngineContract {
    CensusTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @Test
    void keys_are_counted_by_pattern_and_shared_patterns_by_kind() {
        String event = Shards.mint("pump");
        keyspace.store(Plant.EVENTS).create(new Plant.Event(event, "pump", 5, 0)).orThrow();
        for (String name : new String[] {"speed", "power"}) {
            keyspace.store(Plant.READINGS)
                    .create(new Plant.Reading(Shards.mint("pump"), "pump", name, 5, "1"))
                    .orThrow();
        }
        keyspace.store(Plant.DOCUMENTS).create(new Plant.Document("a:b", "c")).orThrow();
        keyspace.commit("1").setFields(Plant.VALUES.at("1"), Map.of("7", "8")).run().orThrow();
        raw("pump", "SET", "not:a:document", "hello");
        raw("pump", "LPUSH", "somebody:elses:queue", "1");
        raw("pump", "SET", Shards.mint("pump"), "an id of nobody");

        Census census = keyspace.census(Pace.FULL, seen -> {});

        Map<String, Long> counts = new TreeMap<>();
        census.keys()
                .forEach(
                        (spot, count) ->
                                counts.put(spot.owner().name() + " " + spot.pattern(), count));
        assertThat(counts)
                .containsEntry("Event {id:id}", 1L)
                .containsEntry("Reading {id:id}", 2L)
                .containsEntry("Reading reading:name:{name}", 2L)
                .containsEntry("Event event:created", 1L)
                .containsEntry("Document {key:documentkey}", 1L)
                .containsEntry("values:{channel:name} values:{channel:name}", 1L)
                .doesNotContainKey("Event event:pushed");
        assertThat(census.unknown()).isEqualTo(3);
        assertThat(census.examples()).hasSize(3);
        assertThat(census.total())
                .isEqualTo(3 + counts.values().stream().mapToLong(each -> each).sum());
        assertThat(census.markdown()).contains("| 2    | String", "`{key:documentkey}`");
    }

    @Test
    void a_key_of_another_type_where_only_the_rest_could_be_is_somebody_elses() {
        raw("x", "LPUSH", "somebody:elses:queue", "1");
        raw("x", "HSET", Shards.mint("x"), "field", "value");
        CheckReport report = keyspace.check().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknown()).isEqualTo(2);
    }

    @Test
    void but_a_document_or_event_whose_type_was_changed_is_found() {
        driftIsExpected();
        keyspace.store(Plant.DOCUMENTS).create(new Plant.Document("a:b", "c")).orThrow();
        raw("a:b", "DEL", "a:b");
        raw("a:b", "LPUSH", "a:b", "1");
        raw("a:b", "DEL", "event:created");
        raw("a:b", "SET", "event:created", "1");
        assertThat(keyspace.check().run().findings())
                .extracting(Finding::kind, Finding::layout)
                .containsExactlyInAnyOrder(
                        tuple(Finding.Kind.WRONG_TYPE, "Document"),
                        tuple(Finding.Kind.WRONG_TYPE, "Event"));
    }

    @Test
    void a_kind_index_of_another_type_does_not_stop_the_check() {
        driftIsExpected();
        raw("pump", "SET", "event", "not a sorted set");
        raw("pump", "SET", Shards.mint("pump"), "{}");
        CheckReport report = keyspace.check().run();
        assertThat(report.findings())
                .extracting(Finding::detail)
                .containsExactly("is a string, not a zset");
        assertThat(report.unknown()).isEqualTo(1);
        assertThat(keyspace.census(Pace.FULL, seen -> {}).unknown()).isEqualTo(1);
    }

    @Test
    void documents_keep_out_of_our_own_keys() {
        assertThat(keyspace.catalogue().refusal(Plant.DOCUMENTS, "millrace:anything"))
                .contains(
                        "Keys that begin with 'millrace:' are Millrace's own; choose another id.");
        assertThat(keyspace.catalogue().refusal(Plant.DOCUMENTS, "alarm:events"))
                .contains(
                        "The key 'alarm:events' is reserved for alarm:events; choose another id.");
        assertThat(keyspace.catalogue().refusal(Plant.DOCUMENTS, "event:created"))
                .contains(
                        "The key 'event:created' is reserved for Event (event:created); choose"
                                + " another id.");
    }
}
