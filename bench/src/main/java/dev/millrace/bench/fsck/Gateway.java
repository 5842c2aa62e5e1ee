package dev.millrace.bench.fsck;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A gateway full of events and readings, under the very keys of the hub's room for them. (Its own
 * layouts are not public. That {@code fsck} finds nothing proves that these are the same.)
 */
final class Gateway {
    private static final int DEVICES = 500;
    private static final int READINGS_OF_EVENT = 3;
    private static final int EVENTS_AT_ONCE = 25;
    private static final List<String> NAMES =
            List.of("pressure", "flow", "temperature", "speed", "power", "level");

    /** As the hub stores it, with the members that matter for its indexes. */
    record Event(
            @JsonProperty("ID") String id,
            @JsonProperty("Pushed") long pushed,
            @JsonProperty("Device") String device,
            @JsonProperty("Created") long created,
            @JsonProperty("Modified") long modified,
            @JsonProperty("Origin") long origin) {}

    record Reading(
            String id,
            long pushed,
            long created,
            long origin,
            long modified,
            String device,
            String name,
            String value) {}

    private static final Layout<Event> EVENTS =
            Layout.json("{id:id}", Event.class)
                    .ownedBy("device")
                    .kind("event")
                    .sorted("event", 0)
                    .sorted("event:created", Event::created)
                    .sorted("event:pushed", Event::pushed)
                    .sorted("event:device:{device}", Event::created);

    private static final Layout<Reading> READINGS =
            Layout.json("{id:id}", Reading.class)
                    .ownedBy("device")
                    .kind("reading")
                    .sorted("reading", 0)
                    .sorted("reading:created", Reading::created)
                    .sorted("reading:device:{device}", Reading::created)
                    .sorted("reading:name:{name}", Reading::created);

    private final Keyspace keyspace;

    Gateway(Redis redis) {
        this.keyspace = new Keyspace(redis, Keyspace.catalogue(EVENTS, READINGS));
    }

    /** At least so many entities, in large commits. */
    void fill(long entities) throws InterruptedException, ExecutionException {
        long perCommit = (1L + READINGS_OF_EVENT) * EVENTS_AT_ONCE;
        long commits = (entities + perCommit - 1) / perCommit;
        int threads = 16;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                long first = thread;
                all.add(
                        executor.submit(
                                () -> {
                                    for (long i = first; i < commits; i += threads) {
                                        fillSome(device());
                                    }
                                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private void fillSome(String device) {
        Commit commit = keyspace.commit(device);
        for (int event = 0; event < EVENTS_AT_ONCE; event++) {
            commit.create(EVENTS, event(device));
            for (int reading = 0; reading < READINGS_OF_EVENT; reading++) {
                commit.create(READINGS, reading(device));
            }
        }
        commit.run().orThrow();
    }

    /** What a writer does: one more reading, in its own commit. */
    void write() {
        keyspace.store(READINGS).create(reading(device())).orThrow();
    }

    private static String device() {
        return "pump-station-" + ThreadLocalRandom.current().nextInt(DEVICES);
    }

    private static Event event(String device) {
        long now = System.currentTimeMillis();
        return new Event(Shards.mint(device), now + 5, device, now, now, now * 1_000_000);
    }

    private static Reading reading(String device) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long now = System.currentTimeMillis();
        return new Reading(
                Shards.mint(device),
                0,
                now,
                now * 1_000_000,
                now,
                device,
                NAMES.get(random.nextInt(NAMES.size())),
                Double.toString(random.nextInt(10_000) / 100.0));
    }
}
