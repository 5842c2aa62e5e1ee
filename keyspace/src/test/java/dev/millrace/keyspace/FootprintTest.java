package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.memory.Footprint;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Instant;

/** The estimate from a few entities agrees with a walk over all keys. */
@OnEachSite
final class FootprintTest extends EngineContract {
    private static final Cell PARTS =
            Cell.of(KeyType.SORTED_SET, "event:readings:{event:id}")
                    .livesBeside("device", Plant.EVENTS, "event")
                    .listing(Plant.READINGS);

    private static final Catalogue CATALOGUE =
            Keyspace.catalogue(Plant.EVENTS, Plant.READINGS, PARTS);

    FootprintTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @Test
    void nothing_takes_nothing() {
        assertThat(keyspace.footprint(Plant.EVENTS, PARTS)).isEqualTo(new Footprint(0, 0));
    }

    @Test
    void bytes_are_about_what_a_walk_finds() {
        for (int i = 0; i < 1500; i++) {
            String device = "pump-" + i % 20;
            Event event = new Event(Shards.mint(device), device, i, i % 2);
            Commit commit = keyspace.commit(device).create(Plant.EVENTS, event);
            for (int each = 0; each < 2; each++) {
                String id = Shards.mint(device);
                String value = "x".repeat(i % 50);
                commit.create(Plant.READINGS, new Reading(id, device, "name-" + each, i, value))
                        .addSorted(PARTS.of(device, event.id()), each, id);
            }
            done(commit.run());
        }
        Footprint estimate =
                keyspace.footprint(Plant.EVENTS, PARTS).plus(keyspace.footprint(Plant.READINGS));
        long walked = keyspace.memory(Pace.FULL, Instant.EPOCH, seen -> {}).bytes();
        assertThat(estimate.count()).isEqualTo(4500);
        assertThat((double) estimate.bytes() / walked).isCloseTo(1, within(0.2));
    }

    @Test
    void what_cannot_be_read_counts_too() {
        Event event = new Event(Shards.mint("pump"), "pump", 1, 0);
        done(keyspace.store(Plant.EVENTS).create(event));
        raw("pump", "SET", event.id(), "{".repeat(5000));
        driftIsExpected();
        assertThat(keyspace.footprint(Plant.EVENTS, PARTS).bytes()).isGreaterThan(5000);
    }

    @Test
    void no_limit_is_no_limit() {
        assertThat(keyspace.memoryLimit()).isZero();
    }
}
