package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Point;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.Plant.Tank;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One of several concurrent writers. It alone writes its own ids, so it knows the outcome of each
 * of its operations; the index keys, the shards and the server it shares with all others.
 */
final class ModelWriter {
    static final List<String> DEVICES = List.of("pump", "valve", "tank", "mill", "press", "fan");
    static final List<String> NAMES = List.of("temperature", "pressure", "flow");
    static final List<String> LABELS = List.of("a", "b", "c", "d");
    static final List<String> SENDERS = List.of("ada", "bob");
    static final List<String> STATES = List.of("active", "cleared", "shelved");

    private final Random random;
    private final String me;
    private final Store<Event> events;
    private final Store<Reading> readings;
    private final Store<Document> documents;
    private final Store<Notice> notices;
    private final Store<Alarm> alarms;
    private final Store<Point> points;
    private final Store<Tank> tanks;
    private final List<String> ids = new ArrayList<>();

    /** Events, readings and documents share the bare ids. */
    private final Map<String, Object> bare = new HashMap<>();

    private final Map<String, Notice> noticesById = new HashMap<>();
    private final Map<String, Alarm> alarmsById = new HashMap<>();
    private final Map<String, Point> pointsById = new HashMap<>();
    private final Map<String, Tank> tanksById = new HashMap<>();

    /** What was read some time ago, for writes that come too late. */
    private final Map<String, Stored<Event>> remembered = new HashMap<>();

    ModelWriter(Keyspace keyspace, int number, long seed) {
        this.random = new Random(seed + number);
        this.me = "w" + number;
        this.events = keyspace.store(Plant.EVENTS);
        this.readings = keyspace.store(Plant.READINGS);
        this.documents = keyspace.store(Plant.DOCUMENTS);
        this.notices = keyspace.store(Plant.NOTICES);
        this.alarms = keyspace.store(Plant.ALARMS);
        this.points = keyspace.store(Plant.POINTS);
        this.tanks = keyspace.store(Plant.TANKS);
        for (int i = 0; i < 12; i++) {
            boolean ours = i % 2 == 0;
            ids.add(ours ? Shards.mint(any(DEVICES)) : "%06x%018x".formatted(number, i * 7919L));
        }
    }

    void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> create();
            case 3, 4 -> put();
            case 5, 6, 7 -> change();
            case 8 -> late();
            case 9, 10 -> delete();
            case 11, 12 -> notice();
            case 13 -> alarm();
            case 14 -> pointOrTank();
            default -> read();
        }
    }

    // ---------------------------------------------------------------- bare ids

    private Object entity(String id) {
        long at = random.nextInt(20) - 5L;
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Event(id, any(DEVICES), at, random.nextInt(3));
            case 2, 3 -> new Reading(id, any(DEVICES), any(NAMES), at, "v" + at);
            default -> new Document(id, "body" + at);
        };
    }

    private void create() {
        String id = any(ids);
        Object entity = entity(id);
        Outcome<?> outcome =
                switch (entity) {
                    case Event event -> events.create(event);
                    case Reading reading -> readings.create(reading);
                    default -> documents.create((Document) entity);
                };
        if (bare.containsKey(id)) {
            expect(Reason.DUPLICATE, outcome);
        } else {
            done(outcome);
            bare.put(id, entity);
        }
    }

    private void put() {
        String id = any(ids);
        Object entity = entity(id);
        Object before = bare.get(id);
        Outcome<?> outcome =
                switch (entity) {
                    case Event event -> events.put(event);
                    case Reading reading -> readings.put(reading);
                    default -> documents.put((Document) entity);
                };
        if (before != null && before.getClass() != entity.getClass()) {
            expect(entity instanceof Document ? Reason.REFUSED : Reason.DUPLICATE, outcome);
        } else {
            done(outcome);
            bare.put(id, entity);
        }
    }

    /** By update or by get and replace, with a new owner or not. */
    private void change() {
        String id = any(ids);
        long at = random.nextInt(20);
        String device = any(DEVICES);
        Object after;
        Outcome<?> outcome;
        if (bare.get(id) instanceof Reading) {
            Reading reading = new Reading(id, device, any(NAMES), at, "w" + at);
            after = reading;
            outcome = readings.update(id, old -> reading);
            expect(Reason.ABSENT, events.update(id, old -> old));
        } else {
            Event event = new Event(id, device, at, random.nextInt(3));
            after = event;
            if (random.nextBoolean()) {
                outcome = events.update(id, old -> event);
            } else {
                outcome =
                        events.get(id)
                                .<Outcome<?>>map(before -> events.replace(before, event))
                                .orElse(Outcome.notDone(Reason.ABSENT, ""));
            }
        }
        if (after.getClass().isInstance(bare.get(id))) {
            done(outcome);
            bare.put(id, after);
        } else {
            expect(Reason.ABSENT, outcome);
        }
    }

    /** A replace or delete of what was read some time ago: done only if it is the same again. */
    private void late() {
        String id = any(ids);
        Stored<Event> old = remembered.remove(id);
        if (old == null) {
            events.get(id).ifPresent(stored -> remembered.put(id, stored));
            return;
        }
        Event after = new Event(id, any(DEVICES), 77, 0);
        boolean same = old.value().equals(bare.get(id));
        boolean deleting = random.nextBoolean();
        Outcome<?> outcome = deleting ? events.delete(old) : events.replace(old, after);
        if (!same) {
            assertThat(outcome.failedBy(Reason.CONFLICT) || outcome.failedBy(Reason.ABSENT))
                    .as("%s", outcome)
                    .isTrue();
        } else if (deleting) {
            done(outcome);
            bare.remove(id);
        } else {
            done(outcome);
            bare.put(id, after);
        }
    }

    private void delete() {
        String id = any(ids);
        Object before = bare.get(id);
        Outcome<?> outcome =
                switch (random.nextInt(3)) {
                    case 0 -> remove(id, before instanceof Event, events.delete(id));
                    case 1 -> remove(id, before instanceof Reading, readings.delete(id));
                    default -> remove(id, before instanceof Document, documents.delete(id));
                };
        assertThat(outcome).isNotInstanceOf(Outcome.Unknown.class);
    }

    private Outcome<?> remove(String id, boolean there, Outcome<?> outcome) {
        if (there) {
            done(outcome);
            bare.remove(id);
        } else {
            expect(Reason.ABSENT, outcome);
        }
        return outcome;
    }

    private void read() {
        String id = any(ids);
        Object there = bare.get(id);
        assertThat(events.get(id).<Object>map(Stored::value).orElse(null))
                .isEqualTo(there instanceof Event ? there : null);
        assertThat(readings.get(id).<Object>map(Stored::value).orElse(null))
                .isEqualTo(there instanceof Reading ? there : null);
        assertThat(documents.get(id).<Object>map(Stored::value).orElse(null))
                .isEqualTo(there instanceof Document ? there : null);
        assertThat(events.getMany(ids))
                .extracting(Stored::value)
                .isEqualTo(ids.stream().map(bare::get).filter(Event.class::isInstance).toList());
        String device = any(DEVICES);
        // Others come and go, but what is ours is there.
        List<Event> page =
                events.query("event:device:{device}", device).limit(10_000).page().values();
        assertThat(page)
                .containsAll(
                        bare.values().stream()
                                .filter(Event.class::isInstance)
                                .map(Event.class::cast)
                                .filter(event -> event.device().equals(device))
                                .toList());
    }

    // ---------------------------------------------------------------- other layouts

    private void notice() {
        int number = random.nextInt(4);
        String id = "%06x%018x".formatted(number + 1, me.hashCode() * 31L);
        String slug = me + "-slug-" + random.nextInt(4);
        List<String> labels = LABELS.stream().filter(each -> random.nextBoolean()).toList();
        String sender = random.nextBoolean() ? any(SENDERS) : null;
        Notice after = new Notice(id, slug, sender, labels);
        boolean there = noticesById.containsKey(id);
        boolean taken =
                noticesById.values().stream()
                        .anyMatch(each -> each.slug().equals(slug) && !each.id().equals(id));
        int what = random.nextInt(4);
        if (what == 0) {
            Outcome<?> outcome = notices.delete(id);
            if (there) {
                done(outcome);
                noticesById.remove(id);
            } else {
                expect(Reason.ABSENT, outcome);
            }
            return;
        }
        Outcome<?> outcome =
                switch (what) {
                    case 1 -> notices.create(after);
                    case 2 -> notices.put(after);
                    default -> notices.update(id, old -> after);
                };
        if (what == 3 && !there) {
            expect(Reason.ABSENT, outcome);
        } else if (taken || (what == 1 && there)) {
            expect(Reason.DUPLICATE, outcome);
        } else {
            done(outcome);
            noticesById.put(id, after);
        }
        assertThat(notices.find("notice-slug", slug).map(Stored::value).orElse(null))
                .isEqualTo(
                        noticesById.values().stream()
                                .filter(each -> each.slug().equals(slug))
                                .findFirst()
                                .orElse(null));
    }

    private void alarm() {
        Alarm alarm = new Alarm(me + "-" + random.nextInt(4), any(STATES), "v" + random.nextInt(9));
        String id = alarm.rule();
        if (random.nextInt(4) > 0) {
            done(alarms.put(alarm));
            alarmsById.put(id, alarm);
        } else if (alarmsById.remove(id) != null) {
            done(alarms.delete(id));
        } else {
            expect(Reason.ABSENT, alarms.delete(id));
        }
    }

    private void pointOrTank() {
        String unit = random.nextBoolean() ? any(NAMES) : null;
        Point point = new Point(me + random.nextInt(2), "p" + random.nextInt(3), 1.5, unit, null);
        String id = point.channel() + ":" + point.point();
        if (random.nextInt(4) > 0) {
            done(points.put(point));
            pointsById.put(id, point);
        } else if (pointsById.remove(id) != null) {
            done(points.delete(id));
        }
        Tank tank = new Tank(me + "-" + random.nextInt(5), Math.rint(random.nextGaussian()) / 4);
        done(tanks.put(tank));
        tanksById.put(tank.tank(), tank);
    }

    // ---------------------------------------------------------------- the end

    void addTo(ModelWorld world) {
        for (Object each : bare.values()) {
            switch (each) {
                case Event event -> world.put(Plant.EVENTS, event);
                case Reading reading -> world.put(Plant.READINGS, reading);
                default -> world.put(Plant.DOCUMENTS, (Document) each);
            }
        }
        noticesById.values().forEach(each -> world.put(Plant.NOTICES, each));
        alarmsById.values().forEach(each -> world.put(Plant.ALARMS, each));
        pointsById.values().forEach(each -> world.put(Plant.POINTS, each));
        tanksById.values().forEach(each -> world.put(Plant.TANKS, each));
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static void done(Outcome<?> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
    }

    private static void expect(Reason reason, Outcome<?> outcome) {
        assertThat(outcome).as("expected " + reason).matches(each -> each.failedBy(reason));
    }
}
