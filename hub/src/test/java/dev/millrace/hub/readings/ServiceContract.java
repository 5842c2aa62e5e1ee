package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.NewEvent.NewReading;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.EventChanges;
import dev.millrace.hub.readings.kept.EventDeletion;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.metadata.LastReports;
import dev.millrace.hub.readings.metadata.Metadata;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.store.Whole;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The ground of the tests below HTTP: the services on an empty Redis, and no drift afterwards. */
abstract class ServiceContract {
    @Parameter Site site;

    /** What the clock of the services says. */
    static final long NOW = 1_700_000_000_000L;

    private final Metadata metadata = new Metadata(new Outside(), Optional.empty());
    private Redis redis;
    protected Keyspace keyspace;
    protected EventsService events;
    protected EventChanges changes;
    protected EventDeletion deletion;
    protected ReadingsService readings;

    String redisUrl() {
        return site.url();
    }

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        redis = Redis.open(Patience.options(redisUrl()));
        keyspace = new Keyspace(redis, Keyspace.catalogue(ReadingsLayouts.all()));
        events = service();
        changes = new EventChanges(keyspace, () -> Instant.ofEpochMilli(NOW));
        deletion = new EventDeletion(keyspace);
        readings = new ReadingsService(keyspace, () -> Instant.ofEpochMilli(NOW));
    }

    EventsService service(String... settings) {
        ReadingsSettings set = ReadingsSettingsTest.set(settings);
        InstantSource clock = () -> Instant.ofEpochMilli(NOW);
        LastReports reports =
                new LastReports(set.metadata(), metadata, clock, new SimpleMeterRegistry(), 1);
        Checks checks = new Checks(set, new ValueDescriptors(keyspace, clock), metadata, reports);
        return new EventsService(keyspace, set, checks, clock);
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(keyspace.check().run().findings()).isEmpty();
        } finally {
            metadata.close();
            redis.close();
        }
    }

    static Reading reading(@Nullable String device, long created, String name) {
        return new Reading(null, 0, created, 0, 0, device, name, "1", null, null, null);
    }

    static NewEvent event(String device, long created, String... names) {
        List<NewReading> parts = new ArrayList<>();
        for (String name : names) {
            parts.add(new NewReading(reading(null, 0, name), ""));
        }
        return new NewEvent(new Event(null, null, 0, device, created, 0, 0, null), parts);
    }

    String add(NewEvent event) {
        return events.add(event).join().orThrow();
    }

    static <E> List<E> values(Iterator<Stored<E>> items) {
        return all(items).stream().map(Stored::value).toList();
    }

    /** Events as clients see them; what they are sent is the same, byte for byte. */
    static List<EventView> views(Iterator<Whole<Event, Reading>> items) {
        return all(items).stream()
                .map(
                        each -> {
                            EventView view = EventView.of(each);
                            assertThat(EventJson.of(each))
                                    .asString(UTF_8)
                                    .isEqualTo(EdgexJson.MAPPER.writeValueAsString(view));
                            return view;
                        })
                .toList();
    }

    static <T> List<T> all(Iterator<T> items) {
        List<T> list = new ArrayList<>();
        items.forEachRemaining(list::add);
        return list;
    }
}
