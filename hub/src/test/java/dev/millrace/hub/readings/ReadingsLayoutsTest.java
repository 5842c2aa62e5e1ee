package dev.millrace.hub.readings;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.VALUE_DESCRIPTORS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.hub.readings.kept.VerbatimJson;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class ReadingsLayoutsTest {
    private static final Event EVENT =
            new Event(
                    "57ba04a1189b95b8afcdafd7",
                    "",
                    1471806399999L,
                    "123456789",
                    1464039917100L,
                    1474774741088L,
                    1471806386919L,
                    Map.of());

    private static final Reading READING =
            new Reading(
                    "57b9fe08189b95b8afcdafd4",
                    0,
                    1471806984866L,
                    1471806386919L,
                    1471807130870L,
                    "123456789",
                    "temperature",
                    "39",
                    null,
                    null,
                    null);

    @Test
    void an_event_and_its_reading_have_the_entries_of_the_first_description() {
        List<Entry> entries = new ArrayList<>(EVENTS.entries(EVENT));
        entries.addAll(READINGS.entries(READING));
        assertThat(Catalogue.table(entries))
                .isEqualTo(
                        """
                        | Sorted Set Key           | Score         | Member                   |
                        | ------------------------ | ------------- | ------------------------ |
                        | event                    | 0             | 57ba04a1189b95b8afcdafd7 |
                        | event:created            | 1464039917100 | 57ba04a1189b95b8afcdafd7 |
                        | event:pushed             | 1471806399999 | 57ba04a1189b95b8afcdafd7 |
                        | event:device:123456789   | 1464039917100 | 57ba04a1189b95b8afcdafd7 |
                        | reading                  | 0             | 57b9fe08189b95b8afcdafd4 |
                        | reading:created          | 1471806984866 | 57b9fe08189b95b8afcdafd4 |
                        | reading:device:123456789 | 1471806984866 | 57b9fe08189b95b8afcdafd4 |
                        | reading:name:temperature | 1471806984866 | 57b9fe08189b95b8afcdafd4 |
                        """);
    }

    @Test
    void an_event_that_was_not_pushed_is_not_among_the_pushed() {
        Event event = new Event(EVENT.id(), null, 0, "pump", 5, 0, 0, null);
        assertThat(EVENTS.entries(event))
                .extracting(Entry::key)
                .containsExactly("event", "event:created", "event:device:pump");
    }

    @Test
    void a_reading_without_a_device_has_no_entry_for_one() {
        Reading alone = reading(0, null);
        assertThat(READINGS.entries(alone))
                .extracting(Entry::key)
                .containsExactly("reading", "reading:created", "reading:name:power");
        RoundTrip.of(READINGS, alone.id(), alone, reading(7, "pump"));
    }

    private static Reading reading(long modified, @Nullable String device) {
        return new Reading(
                READING.id(), 0, 5, 0, modified, device, "power", "38", null, null, null);
    }

    @Test
    void they_live_and_die_whole() {
        RoundTrip.of(
                EVENTS,
                EVENT.id(),
                EVENT,
                new Event(
                        EVENT.id(),
                        "abc",
                        0,
                        "pump",
                        EVENT.created(),
                        9,
                        0,
                        Map.of("floor", "2", "hall", "west")));
        RoundTrip.of(
                VALUE_DESCRIPTORS,
                EVENT.id(),
                descriptor("power", "kW", List.of("a", "b")),
                descriptor("torque", null, List.of("b", "c")));
    }

    private static ValueDescriptor descriptor(
            String name, @Nullable String unit, List<String> labels) {
        return new ValueDescriptor(
                EVENT.id(),
                5,
                "what it is",
                0,
                0,
                name,
                VerbatimJson.of("0"),
                VerbatimJson.raw("1.50"),
                null,
                "F",
                unit,
                "%s",
                labels,
                null,
                null);
    }

    /** Byte for byte what the reference stores, also of what is empty. */
    @Test
    void the_values_are_those_of_the_reference() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        try (Redis redis = Redis.open(Patience.options(server.url()))) {
            Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(ReadingsLayouts.all()));
            keyspace.store(EVENTS).create(EVENT).orThrow();
            assertThat(server.command("GET", EVENT.id()))
                    .isEqualTo(
                            "{\"ID\":\"57ba04a1189b95b8afcdafd7\",\"Checksum\":\"\","
                                    + "\"Pushed\":1471806399999,\"Device\":\"123456789\","
                                    + "\"Created\":1464039917100,\"Modified\":1474774741088,"
                                    + "\"Origin\":1471806386919}");
            keyspace.store(READINGS).create(READING).orThrow();
            assertThat(server.command("GET", READING.id()))
                    .isEqualTo(
                            "{\"id\":\"57b9fe08189b95b8afcdafd4\",\"created\":1471806984866,"
                                    + "\"origin\":1471806386919,\"modified\":1471807130870,"
                                    + "\"device\":\"123456789\",\"name\":\"temperature\","
                                    + "\"value\":\"39\"}");
            String tagged = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
            keyspace.store(EVENTS)
                    .create(new Event(tagged, "c0ffee", 0, "pump", 1, 0, 0, Map.of("floor", "2")))
                    .orThrow();
            assertThat(server.command("GET", tagged))
                    .isEqualTo(
                            "{\"ID\":\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\","
                                    + "\"Checksum\":\"c0ffee\",\"Pushed\":0,\"Device\":\"pump\","
                                    + "\"Created\":1,\"Modified\":0,\"Origin\":0,"
                                    + "\"Tags\":{\"floor\":\"2\"}}");
            assertThat(server.command("ZSCORE", "event:checksum:c0ffee", tagged)).isEqualTo("0");
        }
    }

    @Test
    void what_others_have_written_is_read_in_any_case_and_with_gaps() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        String hanoi = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
        String empty = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
        server.command(
                "SET", hanoi, "{\"id\":\"%s\",\"device\":\"p\",\"Tags\":null}".formatted(hanoi));
        server.command("ZADD", "event", "0", hanoi);
        server.command("SET", empty, "{\"id\":\"%s\",\"created\":5}".formatted(empty));
        server.command("ZADD", "reading", "0", empty);
        try (Redis redis = Redis.open(Patience.options(server.url()))) {
            Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(ReadingsLayouts.all()));
            Event event = keyspace.store(EVENTS).get(hanoi).orElseThrow().value();
            assertThat(event).isEqualTo(new Event(hanoi, "", 0, "p", 0, 0, 0, Map.of()));
            Reading reading = keyspace.store(READINGS).get(empty).orElseThrow().value();
            assertThat(reading.name()).isEmpty();
            assertThat(reading.created()).isEqualTo(5);
        }
    }
}
