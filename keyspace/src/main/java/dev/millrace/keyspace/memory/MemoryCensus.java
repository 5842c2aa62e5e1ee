package dev.millrace.keyspace.memory;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.redis.walk.ServerMemory;
import dev.millrace.keyspace.redis.walk.Ticks;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Measures memory by declaration: the walk of a {@link Census}, then the size of the keys that it
 * kept. A single large index is always among them, so it counts as what it is. The size that Redis
 * gives for a large key is itself an estimate from five of its members: to have all of them counted
 * would hold it up for many milliseconds.
 */
public final class MemoryCensus {
    private static final int STEP = 64;

    private final Ground ground;
    private final Pace pace;

    public MemoryCensus(Ground ground, Pace pace) {
        this.ground = ground;
        this.pace = pace;
    }

    public MemoryReport take(LongConsumer progress, Instant now) {
        Tally tally = Census.walk(ground, pace, progress);
        Map<String, MemoryReport.Part> parts = new LinkedHashMap<>();
        tally.piles()
                .forEach(
                        (spot, pile) -> {
                            if (pile.count() > 0) {
                                boolean index = spot.role() == Spot.Role.INDEX;
                                add(parts, spot.owner().name(), pile, index);
                            }
                        });
        if (tally.strangers().count() > 0) {
            add(parts, "", tally.strangers(), false);
        }
        ServerMemory servers = ServerMemory.of(ground.redis());
        List<MemoryReport.Part> all = new ArrayList<>(parts.values());
        return new MemoryReport(now, all, servers.used(), servers.max(), Optional.empty());
    }

    private void add(
            Map<String, MemoryReport.Part> parts, String name, Tally.Pile pile, boolean index) {
        long bytes = bytes(pile);
        MemoryReport.Part part =
                new MemoryReport.Part(name, pile.count(), index ? 0 : bytes, index ? bytes : 0);
        parts.merge(
                name,
                part,
                (one, other) ->
                        new MemoryReport.Part(
                                name,
                                one.keys() + other.keys(),
                                one.values() + other.values(),
                                one.indexes() + other.indexes()));
    }

    /** What the kept ones have on average, times all of them. */
    private long bytes(Tally.Pile pile) {
        long bytes = 0;
        long there = 0;
        List<String> keys = pile.kept();
        for (int from = 0; from < keys.size(); from += STEP) {
            long began = Ticks.REAL.now();
            List<Request> requests = new ArrayList<>();
            for (String key : keys.subList(from, Math.min(from + STEP, keys.size()))) {
                Place place = ground.shards().tagged(key, key);
                requests.add(
                        Request.reading(
                                place.order(),
                                place.slot(),
                                text("MEMORY"),
                                text("USAGE"),
                                text(key)));
            }
            for (Object size : ground.redis().callAll(requests)) {
                if (size instanceof Long known) {
                    bytes += known;
                    there++;
                }
            }
            pace.rest(Ticks.REAL, Ticks.REAL.now() - began);
        }
        return there == 0 ? 0 : Math.round((double) bytes / there * pile.count());
    }
}
