package dev.millrace.hub.readings.kept;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS_OF_EVENT;

import dev.millrace.hub.work.Keep;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.memory.Footprint;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.Whole;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * All events and readings, the oldest of which go first: an event with its readings, a reading that
 * belongs to none by itself. Both count, for a site may have mostly one or the other. Thread-safe.
 */
public final class ReadingsShelf implements Shelf {
    /** How many deletions travel together. */
    private static final int TOGETHER = 100;

    private final Keyspace keyspace;
    private final Store<Event> events;
    private final Store<Reading> readings;
    private final Function<String, Outcome<Long>> deleteEvent;
    private final Function<String, Outcome<Long>> deleteReading;

    /**
     * A shelf.
     *
     * @param deleteEvent removes an event with its readings, by its id
     * @param deleteReading removes a reading, also from its event
     */
    public ReadingsShelf(
            Keyspace keyspace,
            Function<String, Outcome<Long>> deleteEvent,
            Function<String, Outcome<Long>> deleteReading) {
        this.keyspace = keyspace;
        this.events = keyspace.store(EVENTS);
        this.readings = keyspace.store(READINGS);
        this.deleteEvent = deleteEvent;
        this.deleteReading = deleteReading;
    }

    @Override
    public Keep.Holdings holdings() {
        Footprint all =
                keyspace.footprint(EVENTS, READINGS_OF_EVENT).plus(keyspace.footprint(READINGS));
        return new Keep.Holdings(all.count(), all.bytes());
    }

    @Override
    public long removeOldest(int most, long before) {
        Oldest oldest = new Oldest(most, before);
        return delete(oldest.events, deleteEvent) + delete(oldest.single, deleteReading);
    }

    /** Something that is to go, with what goes along. */
    private record Doomed(String id, long things) {}

    /** Deletes some at a time; says how many things are gone. */
    private static long delete(List<Doomed> all, Function<String, Outcome<Long>> delete) {
        long gone = 0;
        for (int from = 0; from < all.size(); from += TOGETHER) {
            List<Doomed> some = all.subList(from, Math.min(from + TOGETHER, all.size()));
            List<CompletableFuture<Outcome<Long>>> going = new ArrayList<>(some.size());
            for (Doomed each : some) {
                going.add(
                        CompletableFuture.supplyAsync(
                                () -> delete.apply(each.id), Thread::startVirtualThread));
            }
            for (int i = 0; i < some.size(); i++) {
                gone += isGone(going.get(i).join()) ? some.get(i).things : 0;
            }
        }
        return gone;
    }

    private static boolean isGone(Outcome<Long> outcome) {
        return switch (outcome) {
            case Outcome.Done<Long> done -> true;
            case Outcome.Unconfirmed<Long> stored -> true;
            // Somebody else was faster, or goes on changing it; the next look will tell.
            case Outcome.NotDone<Long>(Reason reason, String detail)
                    when reason == Reason.ABSENT || reason == Reason.CONFLICT ->
                    false;
            case Outcome.NotDone<Long>(Reason reason, String detail) ->
                    throw new RedisException(reason, detail);
            case Outcome.Unknown<Long>(String detail) ->
                    throw new RedisException(Reason.UNAVAILABLE, detail);
        };
    }

    /** The oldest events and the oldest readings of no such event, in the order of their age. */
    private final class Oldest {
        final List<Doomed> events = new ArrayList<>();
        final List<Doomed> single = new ArrayList<>();

        Oldest(int most, long before) {
            double last = before == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : before - 1.0;
            Iterator<Whole<Event, Reading>> nextEvents =
                    ReadingsShelf.this
                            .events
                            .query("event:created")
                            .between(Double.NEGATIVE_INFINITY, last)
                            .oldestFirst()
                            .walk(most, READINGS_OF_EVENT, READINGS);
            // Of these, at most as many again belong to the events.
            Iterator<Stored<Reading>> nextReadings =
                    readings.query("reading:created")
                            .between(Double.NEGATIVE_INFINITY, last)
                            .oldestFirst()
                            .walk(2L * most);
            choose(most, nextEvents, nextReadings);
        }

        private void choose(
                int most,
                Iterator<Whole<Event, Reading>> nextEvents,
                Iterator<Stored<Reading>> nextReadings) {
            Set<String> along = new HashSet<>();
            Whole<Event, Reading> event = next(nextEvents);
            Stored<Reading> reading = next(nextReadings);
            long things = 0;
            while (things < most && (event != null || reading != null)) {
                if (event != null && (reading == null || !isYounger(event, reading))) {
                    events.add(new Doomed(event.head().id(), 1L + event.parts().size()));
                    along.addAll(event.listed());
                    things += 1L + event.parts().size();
                    event = next(nextEvents);
                } else if (reading != null) {
                    if (along.add(reading.id())) {
                        single.add(new Doomed(reading.id(), 1));
                        things++;
                    }
                    reading = next(nextReadings);
                }
            }
        }

        /** Of the same age, an event goes first and takes its readings along. */
        private static boolean isYounger(Whole<Event, Reading> event, Stored<Reading> reading) {
            return event.head().value().created() > reading.value().created();
        }

        private static <T> @Nullable T next(Iterator<T> all) {
            return all.hasNext() ? all.next() : null;
        }
    }
}
