package dev.millrace.hub.readings;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.strayed;

import dev.millrace.hub.readings.kept.EventOfReading;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.kept.Uuids;
import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import java.time.InstantSource;
import java.util.Iterator;
import java.util.Optional;

/**
 * Readings by themselves: asked for over all events, added, changed and deleted one by one. One
 * that belongs to an event is taken off the event's list in the same commit that deletes it or
 * gives it to another device. Thread-safe.
 */
final class ReadingsService {
    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Store<Reading> readings;
    private final EventOfReading eventOf;

    ReadingsService(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
        this.readings = keyspace.store(READINGS);
        this.eventOf = new EventOfReading(keyspace);
    }

    // ---------------------------------------------------------------- asking

    Optional<Reading> get(String id) {
        return readings.get(id).map(Stored::value);
    }

    long count() {
        return readings.query("reading").count();
    }

    /** All of them, by id. */
    Iterator<Stored<Reading>> all(long most) {
        return readings.query("reading").walk(most);
    }

    Iterator<Stored<Reading>> newestOf(String device, long most) {
        return newest(readings.query("reading:device:{device}", device), most);
    }

    Iterator<Stored<Reading>> newestNamed(String name, long most) {
        return newest(readings.query("reading:name:{name}", name), most);
    }

    Iterator<Stored<Reading>> newestNamed(String name, String device, long most) {
        Query<Reading> both =
                readings.query("reading:device:{device}", device).and("reading:name:{name}", name);
        return newest(both, most);
    }

    /** Newest first, from one time to another, both included. */
    Iterator<Stored<Reading>> between(long start, long end, long most) {
        return newest(
                readings.query("reading:created").between((double) start, (double) end), most);
    }

    private static Iterator<Stored<Reading>> newest(Query<Reading> query, long most) {
        return query.newestFirst().walk(most);
    }

    // ---------------------------------------------------------------- changing

    /** Stores a reading that belongs to no event; gives its id. */
    Outcome<String> add(Reading sent) {
        if (!sent.id().isEmpty() && !Uuids.isUuid(sent.id())) {
            return Outcome.notDone(Reason.REFUSED, EventsService.notUuid(sent.id()));
        }
        String id = sent.id().isEmpty() ? Shards.mint(sent.device()) : sent.id();
        long created = sent.created() == 0 ? clock.millis() : sent.created();
        return readings.create(sent.stored(id, created, sent.device())).map(Stored::id);
    }

    /** Whatever of the change is not empty replaces what is stored; ABSENT if there is none. */
    Outcome<Long> change(Reading change) {
        return Again.until(
                () -> readings.get(change.id()),
                change.id(),
                before -> replace(before, before.value().changedBy(change, clock.millis())));
    }

    private Outcome<Long> replace(Stored<Reading> before, Reading after) {
        Reading old = before.value();
        boolean moves = !after.device().equals(old.device());
        if (!moves && after.created() == old.created()) {
            return readings.replace(before, after).map(stored -> 0L);
        }
        Optional<String> event = eventOf.find(old);
        if (event.isEmpty()) {
            return readings.replace(before, after).map(stored -> 0L);
        }
        Commit commit = keyspace.commit(old.home()).acrossOwners();
        if (!moves) {
            commit.replace(READINGS, before, after);
            // By its time its event is not found any more; unless it is given back the old one.
            return (eventOf.isAt(event.get(), after.created())
                            ? commit.delete(strayed(after))
                            : commit.set(strayed(after), event.get()))
                    .run();
        }
        commit.removeSorted(ReadingsLayouts.readingsOf(old.device(), event.get()), old.id())
                .delete(strayed(old));
        if (keyspace.liveTogether(old.home(), after.home())) {
            return commit.replace(READINGS, before, after).run();
        }
        // First off the list: a reading that is on none and has not moved yet is found by a second
        // try; one that has moved and is still listed here would be drift that nobody looks for.
        Outcome<Long> taken = commit.twice().run();
        return taken.isStored()
                ? readings.replace(before, after).map(stored -> 0L).after(taken)
                : taken;
    }

    /** Removes a reading, also from its event; ABSENT if there is none. */
    Outcome<Long> delete(String id) {
        return Again.until(() -> readings.get(id), id, this::delete);
    }

    private Outcome<Long> delete(Stored<Reading> before) {
        Reading reading = before.value();
        Commit commit = keyspace.commit(reading.home()).acrossOwners().delete(READINGS, before);
        eventOf.find(reading)
                .ifPresent(
                        event ->
                                commit.removeSorted(
                                                ReadingsLayouts.readingsOf(reading.device(), event),
                                                reading.id())
                                        .delete(strayed(reading)));
        return commit.run();
    }
}
