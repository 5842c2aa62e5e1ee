package dev.millrace.hub.readings;

import static dev.millrace.hub.readings.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.ReadingsLayouts.VALUE_DESCRIPTORS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.keyspace.Catalogue;
import dev.millrace.keyspace.Entry;

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
                new ValueDescriptor(EVENT.id(), "power", "F", "kW", List.of("a", "b")),
                new ValueDescriptor(EVENT.id(), "torque", "F", null, List.of("b", "c")));
    }
}
