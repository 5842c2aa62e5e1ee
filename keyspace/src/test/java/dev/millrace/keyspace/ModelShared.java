package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that all writers fight for. Nobody knows the order of the writes, but there must be one: each
 * state of an entity is written once and followed by at most one other (or by its delete), and what
 * is there in the end is the one state that nothing followed.
 */
final class ModelShared {
    private record Change(@Nullable Event from, @Nullable Event to) {}

    private final Store<Event> events;
    private final List<String> ids = new ArrayList<>();
    private final Map<String, Queue<Change>> changes = new ConcurrentHashMap<>();

    /** Makes every state unlike any other. */
    private final AtomicLong stamp = new AtomicLong();

    ModelShared(Keyspace keyspace) {
        this.events = keyspace.store(Plant.EVENTS);
        for (int i = 0; i < 6; i++) {
            ids.add(i % 2 == 0 ? Shards.mint("pump") : "ffffff%018x".formatted(i * 104_729L));
        }
    }

    List<String> ids() {
        return ids;
    }

    void step(Random random) {
        String id = ids.get(random.nextInt(ids.size()));
        String device = ModelWriter.DEVICES.get(random.nextInt(ModelWriter.DEVICES.size()));
        Event next = new Event(id, device, stamp.incrementAndGet(), random.nextInt(2));
        switch (random.nextInt(6)) {
            case 0, 1 -> note(id, null, next, events.create(next));
            case 2, 3 -> {
                Event[] before = new Event[1];
                Outcome<?> outcome =
                        events.update(
                                id,
                                old -> {
                                    before[0] = old;
                                    return next;
                                });
                note(id, before[0], next, outcome);
            }
            case 4 -> {
                for (Stored<Event> stored : events.getMany(List.of(id))) {
                    note(id, stored.value(), next, events.replace(stored, next));
                }
            }
            default -> {
                for (Stored<Event> stored : events.getMany(List.of(id))) {
                    note(id, stored.value(), null, events.delete(stored));
                }
            }
        }
    }

    private void note(String id, @Nullable Event from, @Nullable Event to, Outcome<?> outcome) {
        assertThat(outcome).isNotInstanceOf(Outcome.Unknown.class);
        if (outcome.isDone()) {
            changes.computeIfAbsent(id, each -> new ConcurrentLinkedQueue<>())
                    .add(new Change(from, to));
        }
    }

    /** Looks for an order of all changes, and adds what is left to the world. */
    void addTo(ModelWorld world) {
        int all = 0;
        for (String id : ids) {
            Set<Event> written = new HashSet<>();
            Set<Event> followed = new HashSet<>();
            int alive = 0;
            for (Change change : changes.getOrDefault(id, new ConcurrentLinkedQueue<>())) {
                all++;
                alive += (change.from == null ? 1 : 0) - (change.to == null ? 1 : 0);
                assertThat(change.to == null || written.add(change.to)).isTrue();
                assertThat(change.from == null || followed.add(change.from))
                        .as("%s was followed by two states", change.from)
                        .isTrue();
            }
            assertThat(written).containsAll(followed);
            written.removeAll(followed);
            assertThat(written).as("states of %s that nothing followed", id).hasSize(alive);
            assertThat(events.get(id).map(Stored::value)).isEqualTo(written.stream().findFirst());
            written.forEach(event -> world.put(Plant.EVENTS, event));
        }
        assertThat(all).isPositive();
    }
}
