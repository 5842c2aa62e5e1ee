package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.work.Retention;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The room of events, readings and value descriptors, made once for a hub. Thread-safe. */
public final class Readings implements AutoCloseable {
    /** Every event that was added, as JSON. */
    public static final Topic TOPIC = EventsService.TOPIC;

    /** Devices whose last report waits to be told; more than most gateways have. */
    private static final int MOST_REPORTS = 1000;

    private final List<Route> routes = new ArrayList<>();
    private final ReadingsSettings settings;
    private final Metadata metadata;
    private final LastReports reports;
    private final Retention retention;
    private final Keyspace keyspace;
    private final EventsService events;
    private final Checks checks;
    private final MeterRegistry figures;
    private final InstantSource clock;

    /** What works on MQTT, the newest first. */
    private final Deque<AutoCloseable> onMqtt = new ArrayDeque<>();

    private Readings(
            Keyspace keyspace,
            ReadingsSettings settings,
            MeterRegistry figures,
            InstantSource clock) {
        this.settings = settings;
        this.keyspace = keyspace;
        this.figures = figures;
        this.clock = clock;
        metadata = new Metadata(settings.metadata().url());
        reports = new LastReports(settings.metadata(), metadata, clock, figures, MOST_REPORTS);
        ValueDescriptors descriptors = new ValueDescriptors(keyspace, clock);
        checks = new Checks(settings, descriptors, metadata, reports);
        events = new EventsService(keyspace, settings, clock);
        ReadingsService readings = new ReadingsService(keyspace, clock);
        EventChanges changes = new EventChanges(keyspace, clock);
        EventDeletion deletion = new EventDeletion(keyspace);
        routes.addAll(new EventsApi(events, checks, settings).routes());
        routes.addAll(new BulkApi(events, checks).routes());
        routes.addAll(new EventChangesApi(changes, deletion, checks, clock).routes());
        routes.addAll(new ReadingsApi(readings, checks, settings).routes());
        routes.addAll(new DescribedReadingsApi(keyspace, descriptors, settings).routes());
        routes.addAll(
                new ValueDescriptorsApi(descriptors, metadata, settings.maxResults()).routes());
        Shelf shelf = new ReadingsShelf(keyspace, deletion::delete, readings::delete);
        retention =
                Retention.start(keyspace, EventsApi.ROOM, settings.keep(), shelf, figures, clock);
    }

    public static Readings open(
            Keyspace keyspace,
            ReadingsSettings settings,
            MeterRegistry figures,
            InstantSource clock) {
        return new Readings(keyspace, settings, figures, clock);
    }

    /** Takes events from MQTT and tells of those that were stored, as far as that is wanted. */
    public void join(Mqtt mqtt) {
        if (mqtt.on() && settings.ingest()) {
            onMqtt.push(new MqttIngest(keyspace, mqtt, events, checks, settings, figures, clock));
        }
        if (mqtt.on() && settings.announce()) {
            onMqtt.push(Announcer.start(keyspace, mqtt, figures));
        } else {
            Thread.startVirtualThread(() -> Announcer.forget(keyspace));
        }
    }

    /** Our part of the configuration that clients of EdgeX ask for. */
    public Map<String, Map<String, Object>> config() {
        return settings.config();
    }

    /** What live clients may listen to. */
    public static LiveFeed feed() {
        return LiveFeed.of("events", TOPIC, Role.VIEWER, EventsApi.ROOM);
    }

    /**
     * Reads an event just as a post does, and leaves it at that; for those who measure what the
     * rest costs.
     */
    public static String deviceOf(byte[] event) {
        return Bodies.event(event).event().device();
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void close() {
        while (!onMqtt.isEmpty()) {
            try {
                onMqtt.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("No part of this throws anything.", e);
            }
        }
        retention.close();
        reports.close();
        metadata.close();
    }
}
