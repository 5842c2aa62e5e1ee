package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.work.Retention;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.Topic;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The room of events, readings and value descriptors, made once for a hub. Thread-safe. */
public final class Readings implements AutoCloseable {
    /** Every event that was added, as JSON. */
    public static final Topic TOPIC = EventsService.TOPIC;

    private final List<Route> routes = new ArrayList<>();
    private final Retention retention;

    private Readings(
            Keyspace keyspace,
            ReadingsSettings settings,
            InstantSource clock,
            MeterRegistry figures) {
        EventsService events = new EventsService(keyspace, settings, clock);
        ReadingsService readings = new ReadingsService(keyspace, clock);
        EventChanges changes = new EventChanges(keyspace, clock);
        EventDeletion deletion = new EventDeletion(keyspace);
        routes.addAll(new EventsApi(events, settings).routes());
        routes.addAll(new EventChangesApi(changes, deletion, clock).routes());
        routes.addAll(new ReadingsApi(readings, settings).routes());
        Shelf shelf = new ReadingsShelf(keyspace, deletion::delete, readings::delete);
        retention =
                Retention.start(keyspace, EventsApi.ROOM, settings.keep(), shelf, figures, clock);
    }

    public static Readings open(
            Keyspace keyspace,
            ReadingsSettings settings,
            InstantSource clock,
            MeterRegistry figures) {
        return new Readings(keyspace, settings, clock, figures);
    }

    /** What live clients may listen to. */
    public static LiveFeed feed() {
        return LiveFeed.of("events", TOPIC, Role.VIEWER, EventsApi.ROOM);
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void close() {
        retention.close();
    }
}
