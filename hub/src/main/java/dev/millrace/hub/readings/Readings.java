package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.Configured;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.readings.arriving.Bodies;
import dev.millrace.hub.readings.kept.EventChanges;
import dev.millrace.hub.readings.kept.EventDeletion;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.kept.ReadingsShelf;
import dev.millrace.hub.readings.metadata.LastReports;
import dev.millrace.hub.readings.metadata.Metadata;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.work.Retention;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The room of events, readings and value descriptors. Thread-safe once it is started. */
public final class Readings implements Room, Configured {
    /** Devices whose last report waits to be told; more than most gateways have. */
    private static final int MOST_REPORTS = 1000;

    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private Map<String, Map<String, Object>> config = Map.of();

    @Override
    public String name() {
        return EventsApi.ROOM;
    }

    @Override
    public String about() {
        return "Events and readings of devices, and value descriptors.";
    }

    @Override
    public List<Declaration> declarations() {
        return ReadingsLayouts.all();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(ReadingsSettings.BLOCK);
    }

    @Override
    public List<LiveFeed> feeds() {
        return List.of(LiveFeed.of("events", EventsService.TOPIC, Role.VIEWER, EventsApi.ROOM));
    }

    @Override
    public void start(House house) {
        ReadingsSettings settings = house.settings(ReadingsSettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        MeterRegistry figures = house.figures();
        InstantSource clock = house.clock();
        config = settings.config();
        Metadata metadata = new Metadata(house.outside(), settings.metadata().url());
        opened.push(metadata::close);
        LastReports reports =
                new LastReports(settings.metadata(), metadata, clock, figures, MOST_REPORTS);
        opened.push(reports::close);
        ValueDescriptors descriptors = new ValueDescriptors(keyspace, clock);
        Checks checks = new Checks(settings, descriptors, metadata, reports);
        EventsService events = new EventsService(keyspace, settings, checks, clock);
        ReadingsService readings = new ReadingsService(keyspace, clock);
        EventChanges changes = new EventChanges(keyspace, clock);
        EventDeletion deletion = new EventDeletion(keyspace);
        routes.addAll(new EventsApi(events, checks, settings).routes());
        routes.addAll(new BulkApi(events).routes());
        routes.addAll(new EventChangesApi(changes, deletion, checks, clock).routes());
        routes.addAll(new ReadingsApi(readings, checks, settings).routes());
        routes.addAll(new DescribedReadingsApi(keyspace, descriptors, settings).routes());
        routes.addAll(
                new ValueDescriptorsApi(descriptors, metadata, settings.maxResults()).routes());
        Shelf shelf = new ReadingsShelf(keyspace, deletion::delete, readings::delete);
        opened.push(
                Retention.start(keyspace, name(), settings.keep(), shelf, figures, clock)::close);
        Mqtt mqtt = house.mqtt();
        if (mqtt.on() && settings.mqtt().ingest()) {
            opened.push(new MqttIngest(keyspace, mqtt, events, figures, clock)::close);
        }
        if (mqtt.on() && settings.mqtt().announce()) {
            opened.push(Announcer.start(keyspace, mqtt, figures)::close);
        } else {
            Thread.startVirtualThread(() -> Announcer.forget(keyspace));
        }
    }

    /** Our part of the configuration that clients of EdgeX ask for. */
    @Override
    public Map<String, Map<String, Object>> config() {
        return config;
    }

    /**
     * Reads an event just as a post does, and leaves it at that; for those who measure what the
     * rest costs.
     */
    public static String deviceOf(byte[] event) {
        return Bodies.event(event).event().device();
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void stop() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
