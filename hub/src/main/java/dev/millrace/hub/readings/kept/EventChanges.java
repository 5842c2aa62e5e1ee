package dev.millrace.hub.readings.kept;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS_OF_EVENT;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.readingsOf;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.strayed;

import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.Whole;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Events that are there already: marked as exported, or changed. Readings stay as they are, unless
 * the event is given to another device: they go with it.
 *
 * <p>On one server, and where both devices live in one shard, that is one commit. Between shards of
 * a cluster it takes steps, in this order, so that whatever is cut off is finished by sending the
 * change again, and no reading is lost or doubled meanwhile:
 *
 * <ol>
 *   <li>the list of readings is written in the new shard, where no event leads to it yet;
 *   <li>each reading moves, whole as every move is;
 *   <li>the event moves. Until here it has its old device, so that a second try begins again: it
 *       finds what is still here by the old list, and what has moved already by its id;
 *   <li>the list in the old shard is removed; left behind, the check removes it.
 * </ol>
 *
 * Thread-safe.
 */
public final class EventChanges {
    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Store<Event> events;
    private final Store<Reading> readings;

    public EventChanges(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
        this.events = keyspace.store(EVENTS);
        this.readings = keyspace.store(READINGS);
    }

    /** Exported now; ABSENT if there is no such event. */
    public Outcome<Long> push(String id) {
        long now = clock.millis();
        return events.update(id, event -> event.pushedAt(now)).map(stored -> 0L);
    }

    /**
     * Every event that was sent with this checksum was exported now; they forget the checksum.
     *
     * @return how many there were
     */
    public Outcome<Long> pushAll(String checksum) {
        long now = clock.millis();
        long count = 0;
        Iterator<Stored<Event>> all =
                events.query("event:checksum:{checksum}", checksum).walk(Long.MAX_VALUE);
        while (all.hasNext()) {
            Outcome<Stored<Event>> pushed =
                    events.update(
                            all.next().id(),
                            event ->
                                    event.checksum().equals(checksum)
                                            ? event.pushedAt(now)
                                            : event);
            if (pushed.isStored()) {
                count++;
            } else if (!pushed.failedBy(Reason.ABSENT)) {
                return pushed.map(stored -> 0L);
            }
        }
        return Outcome.done(count);
    }

    /** Whatever of the change is not empty replaces what is stored; ABSENT if there is none. */
    public Outcome<Long> change(Event change) {
        return Again.until(
                () -> events.whole(change.id(), READINGS_OF_EVENT, READINGS),
                change.id(),
                before -> replace(before, before.head().value().changedBy(change, clock.millis())));
    }

    private Outcome<Long> replace(Whole<Event, Reading> before, Event after) {
        Event old = before.head().value();
        if (after.device().equals(old.device())) {
            return events.replace(before.head(), after).map(stored -> 0L);
        }
        if (!keyspace.liveTogether(old.home(), after.home())) {
            return move(before, after);
        }
        Commit commit =
                keyspace.commit(old.home()).acrossOwners().replace(EVENTS, before.head(), after);
        for (Stored<Reading> part : before.parts()) {
            commit.replace(READINGS, part, part.value().withDevice(after.device()));
        }
        return commit.run();
    }

    private Outcome<Long> move(Whole<Event, Reading> before, Event after) {
        Event old = before.head().value();
        List<String> list = moving(before, after);
        Commit listing = keyspace.commit(after.home()).twice();
        for (int i = 0; i < list.size(); i++) {
            listing.addSorted(readingsOf(after), i, list.get(i));
        }
        Commit leaving = keyspace.commit(old.home()).twice().delete(readingsOf(old));
        for (Stored<Reading> part : before.parts()) {
            if (part.value().created() != old.created()) {
                listing.set(strayed(part.value().withDevice(after.device())), old.id());
                leaving.delete(strayed(part.value().withDevice(old.device())));
            }
        }
        Outcome<Long> last = list.isEmpty() ? Outcome.done(0L) : listing.run();
        for (Stored<Reading> part : before.parts()) {
            if (!last.isStored()) {
                return last;
            }
            last =
                    readings.replace(part, part.value().withDevice(after.device()))
                            .map(stored -> 0L)
                            .after(last);
        }
        if (!last.isStored()) {
            return last;
        }
        Outcome<Long> moved = events.replace(before.head(), after).map(stored -> 0L).after(last);
        if (moved.isStored()) {
            leaving.run();
        }
        return moved;
    }

    /** The readings that go along: those that are here, and those that a first try has moved. */
    private List<String> moving(Whole<Event, Reading> before, Event after) {
        Set<String> there = new HashSet<>();
        before.parts().forEach(part -> there.add(part.id()));
        readings.getMany(before.missing()).stream()
                .filter(reading -> reading.value().device().equals(after.device()))
                .forEach(reading -> there.add(reading.id()));
        List<String> list = new ArrayList<>(before.listed());
        list.retainAll(there);
        return list;
    }
}
