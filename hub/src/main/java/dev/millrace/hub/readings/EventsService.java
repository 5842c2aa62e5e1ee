package dev.millrace.hub.readings;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS_OF_EVENT;

import dev.millrace.hub.readings.arriving.Bodies;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.NewEvent.NewReading;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.RefusedException;
import dev.millrace.hub.readings.arriving.Taken;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.kept.Uuids;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.Whole;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Events go in whole and come out whole. An event, its readings, all their index entries, the list
 * that keeps the order of the readings, and the announcement to those who listen are one commit in
 * the shard of the device; ids that we make carry that shard. A page of events comes with its
 * readings, each with those it had at one moment. Thread-safe.
 */
final class EventsService {
    /** A day at most, and a few megabytes: it is for those who listen, not a second archive. */
    static final Topic TOPIC =
            Topic.named("events").keeping(Duration.ofDays(1), 16L << 20, 64L << 20);

    private final Keyspace keyspace;
    private final ReadingsSettings settings;
    private final Checks checks;
    private final InstantSource clock;
    private final Store<Event> events;

    EventsService(
            Keyspace keyspace, ReadingsSettings settings, Checks checks, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.checks = checks;
        this.clock = clock;
        this.events = keyspace.store(EVENTS);
    }

    // ---------------------------------------------------------------- adding

    /**
     * Reads, checks, stores and announces an event.
     *
     * @param cbor whether it is CBOR, whose bytes are known by their checksum; otherwise JSON
     */
    CompletableFuture<Taken> take(byte[] body, boolean cbor) {
        try {
            return take(
                    cbor
                            ? Bodies.cborEvent(body).withChecksum(settings.checksum().of(body))
                            : Bodies.event(body));
        } catch (RefusedException e) {
            return CompletableFuture.completedFuture(e.why());
        }
    }

    /** The same for an event that was read already. */
    CompletableFuture<Taken> take(NewEvent sent) {
        Optional<Refused> refusal = refusal(sent);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        return add(sent)
                .thenApply(
                        outcome -> {
                            if (outcome.isStored()) {
                                checks.taken(sent.event().device());
                            }
                            return Taken.of(outcome);
                        });
    }

    private Optional<Refused> refusal(NewEvent sent) {
        try {
            return checks.refusal(sent);
        } catch (RedisException e) {
            return Optional.of(new Refused.NotStored(e)); // nobody could look
        }
    }

    /**
     * Stores and announces an event, unchecked. Never blocks and never throws; a mistake of the
     * sender comes as NotDone: REFUSED for an id or a name that cannot be, DUPLICATE for an id that
     * is taken, TOO_LARGE for more than one commit takes.
     *
     * @return its id; empty if it is not to be stored and came without one
     */
    CompletableFuture<Outcome<String>> add(NewEvent sent) {
        String refusal = badId(sent);
        if (refusal != null) {
            return CompletableFuture.completedFuture(Outcome.notDone(Reason.REFUSED, refusal));
        }
        if (sent.readings().size() > settings.maxReadings()) {
            return CompletableFuture.completedFuture(
                    Outcome.notDone(
                            Reason.TOO_LARGE,
                            "An event takes %d readings, not %d; send several, or raise readings.max-readings."
                                    .formatted(settings.maxReadings(), sent.readings().size())));
        }
        return settings.persist() ? store(sent) : announce(sent);
    }

    private static @Nullable String badId(NewEvent sent) {
        if (isBad(sent.event().id())) {
            return notUuid(sent.event().id());
        }
        for (NewReading each : sent.readings()) {
            if (isBad(each.reading().id())) {
                return notUuid(each.reading().id());
            }
        }
        return null;
    }

    private static boolean isBad(String id) {
        return !id.isEmpty() && !Uuids.isUuid(id);
    }

    static String notUuid(String id) {
        return "The id '%s' is not a valid UUID of 36 characters; omit it and one is generated."
                .formatted(id);
    }

    private CompletableFuture<Outcome<String>> store(NewEvent sent) {
        String device = sent.event().device();
        long created = sent.event().created() == 0 ? clock.millis() : sent.event().created();
        Event event = sent.event().stored(idOr(sent.event().id(), device), created);
        Commit commit = keyspace.commit(device).create(EVENTS, event);
        Announcement announcement = new Announcement(sent);
        Cell.Key list = ReadingsLayouts.readingsOf(event);
        int place = 0;
        for (NewReading each : sent.readings()) {
            Reading reading =
                    each.reading().stored(idOr(each.reading().id(), device), created, device);
            Raw value = READINGS.encode(reading);
            commit.create(READINGS, reading, value).addSorted(list, place++, reading.id());
            announcement.add(reading, value);
        }
        commit.with(keyspace.feed(TOPIC).fact(announcement.of(event)));
        return commit.send().thenCompose(outcome -> resolved(outcome, event));
    }

    private static String idOr(String id, String device) {
        return id.isEmpty() ? Shards.mint(device) : id;
    }

    /** When the answer was lost, the event itself says whether it is there: with it, all of it. */
    private CompletableFuture<Outcome<String>> resolved(Outcome<Long> outcome, Event event) {
        return outcome instanceof Outcome.Unknown<Long> unknown
                ? CompletableFuture.supplyAsync(
                        () -> isStored(event) ? Outcome.done(event.id()) : unknown.map(n -> ""),
                        Thread::startVirtualThread)
                : CompletableFuture.completedFuture(outcome.map(number -> event.id()));
    }

    private boolean isStored(Event event) {
        try {
            // With replicas to wait for, a read does not say whether they have it.
            return keyspace.redis().options().durability().replicas() == 0
                    && events.get(event.id())
                            .filter(each -> each.value().equals(event))
                            .isPresent();
        } catch (RedisException e) {
            return false;
        }
    }

    private CompletableFuture<Outcome<String>> announce(NewEvent sent) {
        long created = sent.event().created() == 0 ? clock.millis() : sent.event().created();
        Event event = sent.event().stored(sent.event().id(), created);
        Announcement announcement = new Announcement(sent);
        for (NewReading each : sent.readings()) {
            Reading reading = each.reading().stored(each.reading().id(), created, event.device());
            announcement.add(reading, READINGS.encode(reading));
        }
        return keyspace.commit(event.device())
                .with(keyspace.feed(TOPIC).fact(announcement.of(event)))
                .send()
                .thenApply(outcome -> outcome.map(number -> event.id()));
    }

    // ---------------------------------------------------------------- asking

    Optional<EventView> get(String id) {
        return whole(id).map(EventView::of);
    }

    /** An event with its readings, as it was read. */
    Optional<Whole<Event, Reading>> whole(String id) {
        return events.whole(id, READINGS_OF_EVENT, READINGS);
    }

    long count() {
        return events.query("event").count();
    }

    long countOf(String device) {
        return events.query("event:device:{device}", device).count();
    }

    Iterator<Whole<Event, Reading>> newest(long most) {
        return wholes(events.query("event:created"), most);
    }

    Iterator<Whole<Event, Reading>> newestOf(String device, long most) {
        return wholes(events.query("event:device:{device}", device), most);
    }

    /** Newest first, from one time to another, both included. */
    Iterator<Whole<Event, Reading>> between(long start, long end, long most) {
        return wholes(events.query("event:created").between((double) start, (double) end), most);
    }

    private static Iterator<Whole<Event, Reading>> wholes(Query<Event> query, long most) {
        return query.newestFirst().walk(most, READINGS_OF_EVENT, READINGS);
    }
}
