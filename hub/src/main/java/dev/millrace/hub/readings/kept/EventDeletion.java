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
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.Whole;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Events go as they came: with their readings and the list of these, in one commit each. Many go in
 * steps of a hundred commits that travel together; ids are read step by step while others go, so
 * that neither we nor Redis hold more than a step. Thread-safe.
 */
public final class EventDeletion {
    private static final int STEP = 100;

    /** Readings that one commit takes along with their event; only others have written more. */
    private static final int MOST_READINGS = 650;

    /** Readings that are deleted at once where there are more. */
    private static final int SOME_READINGS = 400;

    /** How much one step holds; events of others may be large. */
    private static final int STEP_READINGS = 2000;

    private final Keyspace keyspace;
    private final Store<Event> events;
    private final LooseReadings loose;

    public EventDeletion(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.events = keyspace.store(EVENTS);
        this.loose = new LooseReadings(keyspace);
    }

    /** Deletes one event; ABSENT if there is none. */
    public Outcome<Long> delete(String id) {
        return deleteIf(id, event -> true);
    }

    /** All that were created at this time or before. */
    public Outcome<Long> createdUntil(long time) {
        return all(
                events.query("event:created").between(Double.NEGATIVE_INFINITY, (double) time),
                event -> event.created() <= time);
    }

    /** All that were exported. A time before 1970 is one as well. */
    public Outcome<Long> pushed() {
        Outcome<Long> usual =
                all(
                        events.query("event:pushed").between(1, Double.POSITIVE_INFINITY),
                        Event::isPushed);
        if (!usual.isStored()) {
            return usual;
        }
        Outcome<Long> odd =
                all(
                        events.query("event:pushed").between(Double.NEGATIVE_INFINITY, -1),
                        Event::isPushed);
        return odd.map(more -> more + count(usual)).after(usual);
    }

    /** The count of the first, if the second was done too. */
    private static Outcome<Long> then(Outcome<Long> first, Outcome<Long> second) {
        return second.map(more -> count(first)).after(first);
    }

    private static long count(Outcome<Long> outcome) {
        return switch (outcome) {
            case Outcome.Done<Long>(Long value) -> value;
            case Outcome.Unconfirmed<Long>(Long value, String detail) -> value;
            case Outcome.NotDone<Long> not -> 0;
            case Outcome.Unknown<Long> unknown -> 0;
        };
    }

    /** All of a device, and then its readings that belong to no event; counts the events. */
    public Outcome<Long> ofDevice(String device) {
        Outcome<Long> deleted =
                all(
                        events.query("event:device:{device}", device),
                        event -> event.device().equals(device));
        return deleted.isStored() ? then(deleted, loose.ofDevice(device)) : deleted;
    }

    /** Every event and every reading. */
    public Outcome<Long> everything() {
        Outcome<Long> deleted = all(events.query("event:created"), event -> true);
        return deleted.isStored() ? then(deleted, loose.everywhere()) : deleted;
    }

    /**
     * Deletes what a query finds.
     *
     * @param still whether one that was changed meanwhile is still meant
     */
    Outcome<Long> all(Query<Event> query, Predicate<Event> still) {
        Iterator<Whole<Event, Reading>> found =
                query.oldestFirst().walk(Long.MAX_VALUE, READINGS_OF_EVENT, READINGS);
        Steps steps = new Steps();
        while (steps.go() && found.hasNext()) {
            List<CompletableFuture<Outcome<Long>>> going = new ArrayList<>(STEP);
            int size = 0;
            while (going.size() < STEP && size < STEP_READINGS && found.hasNext()) {
                Whole<Event, Reading> next = found.next();
                size += next.parts().size();
                going.add(deletion(next, still));
            }
            steps.await(going);
        }
        return steps.outcome();
    }

    private CompletableFuture<Outcome<Long>> deletion(
            Whole<Event, Reading> whole, Predicate<Event> still) {
        String id = whole.head().id();
        if (isLarge(whole)) {
            return CompletableFuture.supplyAsync(
                    () -> deleteIf(id, still), Thread::startVirtualThread);
        }
        return commit(whole)
                .send()
                .thenCompose(
                        outcome ->
                                Again.wasOvertaken(outcome)
                                        ? CompletableFuture.supplyAsync(
                                                () -> deleteIf(id, still),
                                                Thread::startVirtualThread)
                                        : CompletableFuture.completedFuture(outcome));
    }

    private Outcome<Long> deleteIf(String id, Predicate<Event> still) {
        return Again.until(
                () ->
                        events.whole(id, READINGS_OF_EVENT, READINGS)
                                .filter(whole -> still.test(whole.head().value())),
                id,
                whole -> isLarge(whole) ? inParts(whole) : commit(whole).run());
    }

    private static boolean isLarge(Whole<Event, Reading> whole) {
        return whole.parts().size() > MOST_READINGS || whole.listed().size() >= Whole.MOST_PARTS;
    }

    /** One that is too large for a commit loses some readings first, and then the rest. */
    private Outcome<Long> inParts(Whole<Event, Reading> whole) {
        Event event = whole.head().value();
        Commit some = keyspace.commit(event.home()).acrossOwners();
        for (Stored<Reading> part : whole.parts().stream().limit(SOME_READINGS).toList()) {
            remove(some, event, part);
            some.removeSorted(readingsOf(event), part.id());
        }
        whole.missing().stream()
                .limit(SOME_READINGS)
                .forEach(id -> some.removeSorted(readingsOf(event), id));
        Outcome<Long> gone = some.run();
        return gone.isStored() ? deleteIf(event.id(), still -> true).after(gone) : gone;
    }

    /** Takes a reading along, and what is remembered of one that was given another time. */
    private static void remove(Commit commit, Event event, Stored<Reading> part) {
        commit.delete(READINGS, part);
        if (part.value().created() != event.created()) {
            commit.delete(strayed(part.value()));
        }
    }

    private Commit commit(Whole<Event, Reading> whole) {
        Event event = whole.head().value();
        // Readings that others have put under another device are on the list all the same.
        Commit commit = keyspace.commit(event.home()).acrossOwners().delete(EVENTS, whole.head());
        whole.parts().forEach(part -> remove(commit, event, part));
        return whole.listed().isEmpty() ? commit : commit.delete(readingsOf(event));
    }
}
