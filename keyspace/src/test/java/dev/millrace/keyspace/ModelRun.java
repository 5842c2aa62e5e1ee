package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.Site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Several writers at once, perhaps with company, and the comparison with the model afterwards. */
final class ModelRun {
    private final Keyspace keyspace;
    private final Site site;
    private final long seed;
    private final List<ModelWriter> writers;
    private final ModelShared shared;
    private final AtomicInteger writing = new AtomicInteger();

    ModelRun(Keyspace keyspace, Site site, int writers, long seed) {
        this.keyspace = keyspace;
        this.site = site;
        this.seed = seed;
        this.writers =
                IntStream.range(0, writers)
                        .mapToObj(number -> new ModelWriter(keyspace, number, seed))
                        .toList();
        this.shared = new ModelShared(keyspace);
    }

    /** What others do meanwhile, again and again, until the writers are through. */
    interface Company {
        void once();
    }

    void write(int steps, Company... company) {
        writing.set(writers.size());
        Crowd.run(
                writers.size() + company.length,
                number -> {
                    if (number < writers.size()) {
                        try {
                            write(number, steps);
                        } finally {
                            writing.decrementAndGet();
                        }
                    } else {
                        do {
                            company[number - writers.size()].once();
                        } while (writing.get() > 0);
                    }
                });
    }

    private void write(int number, int steps) {
        Random random = new Random(seed * 31 + number);
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(4) == 0) {
                shared.step(random);
            } else {
                writers.get(number).step();
            }
        }
    }

    // ---------------------------------------------------------------- afterwards

    void compare() {
        ModelWorld world = new ModelWorld();
        writers.forEach(writer -> writer.addTo(world));
        shared.addTo(world);
        keysAreTheModels(world);
        everyQueryAnswersAsTheModel(world);
        CheckReport report = keyspace.check().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknown()).isZero();
        assertThat(report.entries()).isPositive();
    }

    /**
     * Nothing is missing and nothing left over. Only a pointer of an id that is fought for may
     * stay: who creates for an owner while another creates for the same one leaves it to the other.
     */
    private void keysAreTheModels(ModelWorld world) {
        Map<String, Object> dump = site.dump();
        Map<String, Integer> expected = world.pointers(keyspace.ground().shards());
        Map<String, Integer> pointers = new HashMap<>();
        dump.forEach(
                (key, content) -> {
                    if (key.contains("millrace:home:")) {
                        pointers.put(key, Pointer.parse(String.valueOf(content)).shard());
                    }
                });
        dump.keySet().removeAll(pointers.keySet());
        assertThat(dump).isEqualTo(world.dump(keyspace.ground().shards()));
        assertThat(pointers).containsAllEntriesOf(expected);
        pointers.keySet().removeAll(expected.keySet());
        assertThat(pointers.keySet())
                .allMatch(key -> shared.ids().stream().anyMatch(key::endsWith));
    }

    private void everyQueryAnswersAsTheModel(ModelWorld world) {
        Random random = new Random(seed);
        Store<Plant.Event> events = keyspace.store(Plant.EVENTS);
        for (String index : List.of("event", "event:created", "event:pushed")) {
            world.compare(events, random, index);
        }
        Store<Plant.Reading> readings = keyspace.store(Plant.READINGS);
        for (String index : List.of("reading", "reading:created")) {
            world.compare(readings, random, index);
        }
        for (String device : ModelWriter.DEVICES) {
            world.compare(events, random, "event:device:{device}", device);
            world.compare(readings, random, "reading:device:{device}", device);
        }
        for (String name : ModelWriter.NAMES) {
            world.compare(readings, random, "reading:name:{name}", name);
        }
        Store<Plant.Notice> notices = keyspace.store(Plant.NOTICES);
        world.compare(notices, random, "notices");
        for (String label : ModelWriter.LABELS) {
            world.compare(notices, random, "notice-label:{label}", label);
        }
        for (String sender : ModelWriter.SENDERS) {
            world.compare(notices, random, "notice-sender:{sender}", sender);
        }
        Store<Plant.Point> points = keyspace.store(Plant.POINTS);
        for (int writer = 0; writer < writers.size(); writer++) {
            world.compare(points, random, "point-index:{channel}", "w" + writer + "0");
        }
        world.compare(keyspace.store(Plant.ALARMS), random, "idx:alarm:active");
        world.compare(keyspace.store(Plant.TANKS), random, "tanks");
        world.compare(keyspace.store(Plant.DOCUMENTS), random, "plant-documents");
        Plant.CATALOGUE.layouts().forEach(layout -> everyIdIsFound(world, layout));
    }

    private <E> void everyIdIsFound(ModelWorld world, Layout<E> layout) {
        List<String> ids = new ArrayList<>(world.of(layout).keySet());
        assertThat(keyspace.store(layout).getMany(ids))
                .extracting(Stored::value)
                .isEqualTo(List.copyOf(world.of(layout).values()));
    }
}
