package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the engine should have made of all writes, in plain Java: for each layout its entities by
 * id, and from them every key, entry, page and count.
 */
final class ModelWorld {
    private final Map<Layout<?>, Map<String, Object>> entities = new LinkedHashMap<>();

    <E> void put(Layout<E> layout, E entity) {
        entities.computeIfAbsent(layout, each -> new TreeMap<>())
                .put(layout.mapping().idOf(layout.mapping().key(entity)), entity);
    }

    @SuppressWarnings("unchecked") // put pairs each layout with its own entities
    <E> Map<String, E> of(Layout<E> layout) {
        return (Map<String, E>) entities.getOrDefault(layout, Map.of());
    }

    // ---------------------------------------------------------------- keys

    /** Everything that should lie in Redis, as {@link Site#dump} gives it; without pointers. */
    Map<String, Object> dump(Shards shards) {
        Map<String, Object> all = new TreeMap<>();
        for (Layout<?> layout : entities.keySet()) {
            dump(layout, shards, all);
        }
        return all;
    }

    private <E> void dump(Layout<E> layout, Shards shards, Map<String, Object> all) {
        of(layout)
                .forEach(
                        (id, entity) -> {
                            String prefix = prefix(layout, shards, entity);
                            all.put(prefix + layout.mapping().keyOf(id), value(layout, entity));
                            for (Entry entry : layout.entries(entity)) {
                                enter(prefix + entry.key(), entry, all);
                            }
                        });
    }

    private static <E> String prefix(Layout<E> layout, Shards shards, E entity) {
        return shards.place(layout.mapping().ownerOf(entity)).prefix();
    }

    private static <E> Object value(Layout<E> layout, E entity) {
        return switch (layout.mapping().encode(entity, null)) {
            case Raw.Text(byte[] bytes) -> new String(bytes, UTF_8);
            case Raw.Fields(var fields) -> new TreeMap<>(fields);
        };
    }

    @SuppressWarnings("unchecked") // each key is used for one type only
    private static void enter(String key, Entry entry, Map<String, Object> all) {
        switch (entry) {
            case Entry.Sorted(String k, double score, String member) ->
                    ((Map<String, Object>) all.computeIfAbsent(key, each -> new TreeMap<>()))
                            .put(member, score);
            case Entry.Member(String k, String member) ->
                    ((TreeSet<String>) all.computeIfAbsent(key, each -> new TreeSet<>()))
                            .add(member);
            case Entry.Unique(String k, String field, String id) ->
                    ((Map<String, Object>) all.computeIfAbsent(key, each -> new TreeMap<>()))
                            .put(field, id);
        }
    }

    /** Ids that need a home pointer, each with the key it lies under and where it leads. */
    Map<String, Integer> pointers(Shards shards) {
        Map<String, Integer> pointers = new HashMap<>();
        if (shards.cluster()) {
            for (Layout<?> layout : entities.keySet()) {
                pointers(layout, shards, pointers);
            }
        }
        return pointers;
    }

    private <E> void pointers(Layout<E> layout, Shards shards, Map<String, Integer> pointers) {
        of(layout)
                .forEach(
                        (id, entity) -> {
                            int home = Shards.shard(layout.mapping().ownerOf(entity));
                            if (!layout.mapping().ownerInKey() && Shards.shard(id) != home) {
                                String key = Homes.pointerKey(layout.mapping().keyOf(id));
                                pointers.put(shards.place(id).prefix() + key, home);
                            }
                        });
    }

    // ---------------------------------------------------------------- queries

    private record Hit(double score, String id) {}

    /** Asks one index in both directions, page by page, and by ranges, and compares. */
    <E> void compare(Store<E> store, Random random, String indexPattern, String... values) {
        Layout<E> layout = store.layout();
        String key = layout.mapping().index(indexPattern).pattern.key(values);
        List<Hit> hits = new ArrayList<>();
        of(layout)
                .forEach(
                        (id, entity) -> {
                            for (Entry entry : layout.entries(entity)) {
                                if (entry.key().equals(key)) {
                                    hits.add(new Hit(score(entry), id));
                                }
                            }
                        });
        hits.sort(Comparator.comparingDouble(Hit::score).thenComparing(Hit::id, ModelWorld::bytes));
        List<String> ids = hits.stream().map(Hit::id).toList();
        String what = key + " of " + layout.name();
        assertThat(store.query(indexPattern, values).count()).as(what).isEqualTo(hits.size());
        assertThat(pages(store, false, random, indexPattern, values)).as(what).isEqualTo(ids);
        assertThat(pages(store, true, random, indexPattern, values))
                .as(what)
                .isEqualTo(ids.reversed());
        if (!hits.isEmpty() && layout.mapping().index(indexPattern).type == KeyType.SORTED_SET) {
            double low = hits.get(random.nextInt(hits.size())).score;
            double high = hits.get(random.nextInt(hits.size())).score;
            List<String> within =
                    hits.stream()
                            .filter(hit -> hit.score >= low && hit.score <= high)
                            .map(Hit::id)
                            .toList();
            Query<E> range = store.query(indexPattern, values).between(low, high);
            assertThat(range.count()).as(what).isEqualTo(within.size());
            assertThat(range.limit(10_000).page().items())
                    .as(what)
                    .extracting(Stored::id)
                    .isEqualTo(within);
        }
    }

    private static double score(Entry entry) {
        return entry instanceof Entry.Sorted sorted ? sorted.score() : 0;
    }

    private static int bytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    private <E> List<String> pages(
            Store<E> store,
            boolean newestFirst,
            Random random,
            String indexPattern,
            String... values) {
        List<String> ids = new ArrayList<>();
        Optional<Cursor> cursor = Optional.empty();
        do {
            Query<E> query = store.query(indexPattern, values).limit(3 + random.nextInt(40));
            query = newestFirst ? query.newestFirst() : query;
            cursor.ifPresent(query::after);
            Page<E> page = query.page();
            for (Stored<E> item : page.items()) {
                ids.add(item.id());
                assertThat(item.value()).isEqualTo(of(store.layout()).get(item.id()));
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return ids;
    }
}
