package dev.millrace.hub.readings;

import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.EventChanges;
import dev.millrace.hub.readings.kept.EventDeletion;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.NewReading;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The ground of the tests below HTTP: the services on an empty Redis, and no drift afterwards. */
abstract class ServiceContract {
    @Parameter Site site;

    /** What the clock of the services says. */
    static final long NOW = 1_700_000_000_000L;

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
        redis = Redis.open(RedisOptions.of(redisUrl()));
        keyspace = new Keyspace(redis, Keyspace.catalogue(ReadingsLayouts.all()));
        events = service();
        changes = new EventChanges(keyspace, () -> Instant.ofEpochMilli(NOW));
        deletion = new EventDeletion(keyspace);
        readings = new ReadingsService(keyspace, () -> Instant.ofEpochMilli(NOW));
    }

    EventsService service(String... settings) {
        return new EventsService(
                keyspace, ReadingsSettingsTest.set(settings), () -> Instant.ofEpochMilli(NOW));
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(keyspace.check().run().findings()).isEmpty();
        } finally {
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

    static <T> List<T> all(Iterator<T> items) {
        List<T> list = new ArrayList<>();
        items.forEachRemaining(list::add);
        return list;
    }
}
