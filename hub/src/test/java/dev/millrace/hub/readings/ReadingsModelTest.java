package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;

/** Random operations beside a plain Java model; afterwards both are equal, and nothing drifted. */
@OnEachSite
final class ReadingsModelTest extends ServiceContract {
    private static final List<String> DEVICES = List.of("pump", "fan", "valve", "mill");
    private static final List<String> NAMES = List.of("power", "torque", "angle");
    private static final int STEPS = Boolean.getBoolean("millrace.full") ? 3000 : 300;

    private final Map<String, Event> modelEvents = new HashMap<>();
    private final Map<String, Reading> modelReadings = new HashMap<>();

    /** Which readings an event has, in their order. */
    private final Map<String, List<String>> lists = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatever_is_done_they_stay_equal(long seed) {
        modelEvents.clear();
        modelReadings.clear();
        lists.clear();
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            doSomething(random);
            if (step % 50 == 49) {
                compare();
            }
        }
        compare();
    }

    private void doSomething(Random random) {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> addEvent(random);
            case 6, 7 -> addReading(random);
            case 8, 9 -> changeEvent(random);
            case 10 -> push(random);
            case 11, 12, 13, 14 -> changeReading(random);
            case 15, 16 -> deleteReading(random);
            case 17, 18 -> deleteEvent(random);
            default -> deleteMany(random);
        }
    }

    private static <T> T any(Random random, List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    private static String anyId(Random random, Map<String, ?> items) {
        List<String> ids = items.keySet().stream().sorted().toList();
        return ids.isEmpty() ? "57ba04a1189b95b8afcdafd7" : any(random, ids);
    }

    private void addEvent(Random random) {
        String device = any(random, DEVICES);
        long created = 1L + random.nextInt(8);
        String[] names = new String[random.nextInt(4)];
        for (int i = 0; i < names.length; i++) {
            names[i] = any(random, NAMES);
        }
        String id = add(event(device, created, names));
        EventView view = events.get(id).orElseThrow();
        List<String> list = new ArrayList<>();
        for (Record part : view.readings()) {
            Reading reading = (Reading) part;
            assertThat(reading.name()).isEqualTo(names[list.size()]);
            modelReadings.put(reading.id(), reading);
            list.add(reading.id());
        }
        modelEvents.put(id, new Event(id, "", 0, device, created, 0, 0, null));
        lists.put(id, list);
    }

    private void addReading(Random random) {
        String device = random.nextInt(3) == 0 ? "" : any(random, DEVICES);
        Reading sent = reading(device, 1 + random.nextInt(8), any(random, NAMES));
        String id = readings.add(sent).orThrow();
        modelReadings.put(id, sent.stored(id, sent.created(), device));
    }

    private void changeEvent(Random random) {
        String id = anyId(random, modelEvents);
        Event change =
                new Event(
                        id,
                        "",
                        random.nextInt(2),
                        any(random, DEVICES),
                        0,
                        0,
                        random.nextInt(3),
                        null);
        Event before = modelEvents.get(id);
        was(changes.change(change), before != null);
        if (before != null) {
            modelEvents.put(id, before.changedBy(change, NOW));
            for (String part : lists.get(id)) {
                modelReadings.computeIfPresent(
                        part, (key, reading) -> reading.withDevice(change.device()));
            }
        }
    }

    private void push(Random random) {
        String id = anyId(random, modelEvents);
        was(changes.push(id), modelEvents.containsKey(id));
        modelEvents.computeIfPresent(id, (key, event) -> event.pushedAt(NOW));
    }

    private void changeReading(Random random) {
        String id = anyId(random, modelReadings);
        Reading change =
                new Reading(
                        id,
                        0,
                        random.nextBoolean() ? 0 : 1 + random.nextInt(8),
                        0,
                        0,
                        random.nextInt(3) == 0 ? any(random, DEVICES) : "",
                        any(random, NAMES),
                        "2",
                        null,
                        null,
                        null);
        Reading before = modelReadings.get(id);
        was(readings.change(change), before != null);
        if (before != null) {
            Reading after = before.changedBy(change, NOW);
            modelReadings.put(id, after);
            if (!after.device().equals(before.device())) {
                lists.values().forEach(list -> list.remove(id));
            }
        }
    }

    private void deleteReading(Random random) {
        String id = anyId(random, modelReadings);
        was(readings.delete(id), modelReadings.remove(id) != null);
        lists.values().forEach(list -> list.remove(id));
    }

    private void deleteEvent(Random random) {
        String id = anyId(random, modelEvents);
        was(deletion.delete(id), modelEvents.containsKey(id));
        forget(event -> event.id().equals(id));
    }

    private void deleteMany(Random random) {
        if (random.nextInt(4) > 0) {
            return;
        }
        switch (random.nextInt(3)) {
            case 0 ->
                    assertThat(deletion.createdUntil(2).orThrow())
                            .isEqualTo(forget(event -> event.created() <= 2));
            case 1 ->
                    assertThat(deletion.pushed().orThrow())
                            .isEqualTo(forget(event -> event.pushed() != 0));
            default -> {
                String device = any(random, DEVICES);
                assertThat(deletion.ofDevice(device).orThrow())
                        .isEqualTo(forget(event -> event.device().equals(device)));
                modelReadings.values().removeIf(reading -> reading.device().equals(device));
            }
        }
    }

    private long forget(Predicate<Event> which) {
        List<String> gone = modelEvents.values().stream().filter(which).map(Event::id).toList();
        for (String id : gone) {
            modelEvents.remove(id);
            lists.remove(id).forEach(modelReadings::remove);
        }
        return gone.size();
    }

    private static void was(Outcome<Long> outcome, boolean there) {
        if (there) {
            outcome.orThrow();
        } else {
            assertThat(outcome.failedBy(Reason.ABSENT)).isTrue();
        }
    }

    private void compare() {
        Comparator<Event> eventOrder =
                Comparator.comparingLong(Event::created).thenComparing(Event::id).reversed();
        List<EventView> expected =
                modelEvents.values().stream().sorted(eventOrder).map(this::view).toList();
        assertThat(views(events.newest(1000))).isEqualTo(expected);
        assertThat(events.count()).isEqualTo(expected.size());
        assertThat(views(events.between(3, 5, 1000)))
                .isEqualTo(
                        expected.stream()
                                .filter(event -> event.created() >= 3 && event.created() <= 5)
                                .toList());
        List<Reading> sorted =
                modelReadings.values().stream()
                        .sorted(
                                Comparator.comparingLong(Reading::created)
                                        .thenComparing(Reading::id)
                                        .reversed())
                        .toList();
        assertThat(readings.count()).isEqualTo(sorted.size());
        assertThat(values(readings.between(0, 100, 1000))).isEqualTo(sorted);
        for (String device : DEVICES) {
            assertThat(views(events.newestOf(device, 1000)))
                    .isEqualTo(expected.stream().filter(e -> e.device().equals(device)).toList());
            assertThat(values(readings.newestOf(device, 1000)))
                    .isEqualTo(sorted.stream().filter(r -> r.device().equals(device)).toList());
            for (String name : NAMES) {
                assertThat(values(readings.newestNamed(name, device, 1000)))
                        .isEqualTo(
                                sorted.stream()
                                        .filter(r -> r.device().equals(device))
                                        .filter(r -> r.name().equals(name))
                                        .toList());
            }
        }
    }

    private EventView view(Event event) {
        return EventView.of(
                event,
                lists.get(event.id()).stream()
                        .map(
                                id ->
                                        Objects.requireNonNull(
                                                modelReadings.get(id), "A reading is lost."))
                        .toList());
    }
}
