package dev.millrace.hub.readings.kept;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;

import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Deletes readings that belong to no event, after all events were deleted. An event that is added
 * meanwhile keeps its readings: as long as there is none, nobody has to look for it. Thread-safe.
 */
final class LooseReadings {
    private static final int STEP = 100;

    private final Keyspace keyspace;
    private final Store<Event> events;
    private final Store<Reading> readings;
    private final EventOfReading eventOf;

    LooseReadings(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.events = keyspace.store(EVENTS);
        this.readings = keyspace.store(READINGS);
        this.eventOf = new EventOfReading(keyspace);
    }

    Outcome<Long> ofDevice(String device) {
        return all(
                readings.query("reading:device:{device}", device),
                () -> events.query("event:device:{device}", device).count());
    }

    Outcome<Long> everywhere() {
        return all(readings.query("reading"), () -> events.query("event").count());
    }

    /**
     * Deletes what a query finds.
     *
     * @param newEvents how many events there are to which what was found may belong
     */
    Outcome<Long> all(Query<Reading> query, LongSupplier newEvents) {
        Iterator<Stored<Reading>> found = query.oldestFirst().walk(Long.MAX_VALUE);
        Steps steps = new Steps();
        while (steps.go() && found.hasNext()) {
            List<Stored<Reading>> step = new ArrayList<>(STEP);
            while (step.size() < STEP && found.hasNext()) {
                step.add(found.next());
            }
            // Asked after they were read: an event that is added later has other readings.
            boolean alone = newEvents.getAsLong() == 0;
            List<CompletableFuture<Outcome<Long>>> going = new ArrayList<>(STEP);
            for (Stored<Reading> each : step) {
                going.add(alone ? deletion(each) : carefully(each));
            }
            steps.await(going);
        }
        return steps.outcome();
    }

    private CompletableFuture<Outcome<Long>> deletion(Stored<Reading> reading) {
        return keyspace.commit(reading.value().home())
                .acrossOwners()
                .delete(READINGS, reading)
                .send()
                .thenCompose(
                        outcome ->
                                Again.wasOvertaken(outcome)
                                        ? carefully(reading)
                                        : CompletableFuture.completedFuture(outcome));
    }

    private CompletableFuture<Outcome<Long>> carefully(Stored<Reading> reading) {
        return CompletableFuture.supplyAsync(
                () ->
                        Again.until(
                                () -> stillLoose(reading),
                                reading.id(),
                                now ->
                                        keyspace.commit(now.value().home())
                                                .acrossOwners()
                                                .delete(READINGS, now)
                                                .run()),
                Thread::startVirtualThread);
    }

    private Optional<Stored<Reading>> stillLoose(Stored<Reading> reading) {
        return readings.get(reading.id())
                .filter(now -> now.value().device().equals(reading.value().device()))
                .filter(now -> eventOf.find(now.value()).isEmpty());
    }
}
