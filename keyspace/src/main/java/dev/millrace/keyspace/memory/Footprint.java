package dev.millrace.keyspace.memory;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Owner;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many entities of one layout there are, and about how many bytes they take with all their
 * index entries and with the cells that live beside them. A question of some hundred small
 * commands, whatever the size of the database, so that it can be asked again and again: of each
 * shard a few entities are picked at random, their values and cells measured, and of each index
 * they are in an entry's share. {@link MemoryReport} is exact in what belongs to whom, and walks
 * over all keys for it.
 *
 * @param count exactly, at the moment it was asked
 * @param bytes an estimate; 0 if there is none
 */
public record Footprint(long count, long bytes) {
    /** Of all shards together; each has its part of it, and at least a few. */
    private static final int SAMPLE = 128;

    private static final int FEWEST = 4;

    public Footprint plus(Footprint other) {
        return new Footprint(count + other.count, bytes + other.bytes);
    }

    public static <E> Footprint of(Ground ground, Layout<E> layout, List<Cell> beside) {
        String kind =
                layout.mapping()
                        .kind()
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                layout.name() + " has no index of all its ids."));
        List<Place> places = places(ground, layout);
        List<Request> asked = new ArrayList<>();
        int each = Math.max(FEWEST, SAMPLE / places.size());
        for (Place place : places) {
            asked.add(place.ask("ZCARD", kind));
            asked.add(place.ask("ZRANDMEMBER", kind, Integer.toString(each)));
        }
        List<@Nullable Object> replies = ground.redis().callAll(asked);
        List<Sample<E>> samples = new ArrayList<>();
        long count = 0;
        for (int i = 0; i < places.size(); i++) {
            long here = Replies.number(replies.get(2 * i));
            count += here;
            for (Object id : Replies.list(replies.get(2 * i + 1))) {
                String name = Replies.textOrEmpty(id);
                samples.add(new Sample<>(ground, layout, beside, places.get(i), name, here));
            }
        }
        return new Footprint(count, bytes(ground, samples, places, count));
    }

    private static List<Place> places(Ground ground, Layout<?> layout) {
        return layout.mapping().owner() instanceof Owner.Site
                ? List.of(ground.shards().place(Declaration.SITE))
                : ground.shards().all();
    }

    /** Of each shard the mean of its samples, times what it has. */
    private static <E> long bytes(
            Ground ground, List<Sample<E>> samples, List<Place> places, long count) {
        samples.forEach(Sample::measure);
        Shares shares = new Shares(ground);
        samples.forEach(sample -> sample.entries(shares));
        shares.measure();
        double bytes = 0;
        long covered = 0;
        for (Place place : places) {
            List<Sample<E>> here =
                    samples.stream()
                            .filter(sample -> sample.place.equals(place) && sample.isThere())
                            .toList();
            if (!here.isEmpty()) {
                double mean = here.stream().mapToDouble(s -> s.bytes(shares)).average().orElse(0);
                bytes += mean * here.getFirst().inShard;
                covered += here.getFirst().inShard;
            }
        }
        // A shard whose samples have all just gone has about what the others have.
        return covered == 0 ? 0 : Math.round(bytes / covered * count);
    }

    /** One entity that was picked. */
    private static final class Sample<E> {
        private final Ground ground;
        private final Layout<E> layout;
        private final Place place;
        private final String id;
        private final long inShard;
        private final Request value;
        private final List<Request> sizes = new ArrayList<>();
        private List<Entry> entries = List.of();

        Sample(
                Ground ground,
                Layout<E> layout,
                List<Cell> beside,
                Place place,
                String id,
                long inShard) {
            this.ground = ground;
            this.layout = layout;
            this.place = place;
            this.id = id;
            this.inShard = inShard;
            String key = layout.mapping().keyOf(id);
            String read = layout.type() == KeyType.STRING ? "GET" : "HGETALL";
            this.value = place.ask(read, key);
            sizes.add(usage(place, key));
            for (Cell cell : beside) {
                sizes.add(usage(place, cell.pattern().key(id)));
            }
        }

        void measure() {
            ground.redis().submit(value);
            sizes.forEach(ground.redis()::submit);
        }

        boolean isThere() {
            return Replies.unlessOtherType(sizes.getFirst()) != null;
        }

        /** One that cannot be read takes what its value takes. */
        void entries(Shares shares) {
            Raw raw = layout.mapping().raw(Replies.unlessOtherType(value));
            if (raw == null) {
                return;
            }
            try {
                entries =
                        layout.mapping()
                                .entries(layout.mapping().decode(layout.mapping().keyOf(id), raw));
                entries.forEach(entry -> shares.ask(place, entry));
            } catch (RuntimeException e) {
                entries = List.of();
            }
        }

        double bytes(Shares shares) {
            double bytes = 0;
            for (Request size : sizes) {
                bytes += Replies.number(Replies.unlessOtherType(size));
            }
            for (Entry entry : entries) {
                bytes += shares.of(place, entry);
            }
            return bytes;
        }
    }

    /** What one entry of an index takes: its size by the number of its entries. */
    private static final class Shares {
        private final Ground ground;
        private final Map<String, Request> sizes = new LinkedHashMap<>();
        private final Map<String, Request> counts = new LinkedHashMap<>();

        Shares(Ground ground) {
            this.ground = ground;
        }

        void ask(Place place, Entry entry) {
            String count =
                    switch (entry) {
                        case Entry.Sorted sorted -> "ZCARD";
                        case Entry.Member member -> "SCARD";
                        case Entry.Unique unique -> "HLEN";
                    };
            String full = place.prefix() + entry.key();
            sizes.computeIfAbsent(full, key -> usage(place, entry.key()));
            counts.computeIfAbsent(full, key -> place.ask(count, entry.key()));
        }

        void measure() {
            sizes.values().forEach(ground.redis()::submit);
            counts.values().forEach(ground.redis()::submit);
        }

        double of(Place place, Entry entry) {
            String full = place.prefix() + entry.key();
            Request size = sizes.get(full);
            Request count = counts.get(full);
            if (size == null || count == null) {
                return 0;
            }
            long members = Replies.number(Replies.unlessOtherType(count));
            return members == 0
                    ? 0
                    : (double) Replies.number(Replies.unlessOtherType(size)) / members;
        }
    }

    /** Redis looks at five members of a large key; at all of them it would take long. */
    private static Request usage(Place place, String key) {
        byte[][] words = {text("MEMORY"), text("USAGE"), place.key(key)};
        return Request.reading(place.order(), place.slot(), words);
    }
}
