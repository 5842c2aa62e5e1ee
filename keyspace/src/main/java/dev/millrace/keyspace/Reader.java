package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Reads entities by id. On a single server, and wherever the key names the owner, that is one
 * question. In a cluster an id points to its shard by itself if we made it; a foreign one has a
 * home pointer there. Value, pointer and a move that was cut short are asked for in one round trip.
 */
final class Reader<E> {
    private final Keyspace keyspace;
    private final Layout<E> layout;
    private final Redis redis;

    Reader(Keyspace keyspace, Layout<E> layout) {
        this.keyspace = keyspace;
        this.layout = layout;
        this.redis = keyspace.redis();
    }

    Optional<Stored<E>> get(String id) {
        List<Stored<E>> found = getMany(List.of(id));
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
    }

    /** Those that exist, in the order of the ids. */
    List<Stored<E>> getMany(List<String> ids) {
        Map<String, @Nullable Stored<E>> found = new LinkedHashMap<>();
        List<String> asked = new ArrayList<>();
        for (String id : ids) {
            if (found.putIfAbsent(id, null) == null
                    && !asked.contains(id)
                    && keyspace.catalogue().refusal(layout, id).isEmpty()) {
                asked.add(id);
            }
        }
        boolean direct = !keyspace.shards().cluster() || layout.ownerInKey();
        if (direct) {
            found.putAll(read(asked.stream().collect(places(this::placeOfKey))));
        } else {
            found.putAll(readByHome(asked));
        }
        List<Stored<E>> present = new ArrayList<>();
        for (Stored<E> stored : found.values()) {
            if (stored != null) {
                present.add(stored);
            }
        }
        return present;
    }

    Place placeOfKey(String id) {
        String key = layout.keyOf(id);
        if (layout.pattern().tagged()) {
            return keyspace.shards().tagged(key, layout.ownerOfKey(key).orElse(key));
        }
        return keyspace.shards().place(layout.ownerOfKey(key).orElse(id));
    }

    private static Collector<String, ?, Map<String, Place>> places(Function<String, Place> place) {
        return Collectors.toMap(id -> id, place, (one, other) -> one, LinkedHashMap::new);
    }

    private Map<String, Stored<E>> readByHome(List<String> ids) {
        Map<String, Place> guesses = new LinkedHashMap<>();
        List<Request> requests = new ArrayList<>();
        for (String id : ids) {
            Place place = keyspace.shards().place(id);
            guesses.put(id, place);
            requests.add(Homes.readPointer(place, layout.keyOf(id)));
        }
        // Sent first, so that they travel with the values.
        requests.forEach(redis::submit);
        Map<String, Stored<E>> found = read(guesses);
        Map<String, Place> elsewhere = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            Object pointer = requests.get(i).await();
            if (!found.containsKey(id) && pointer != null) {
                elsewhere.put(id, keyspace.shards().shard(Homes.shardIn(pointer)));
            }
        }
        found.putAll(read(elsewhere));
        for (String id : ids) {
            if (!found.containsKey(id)) {
                Place last = elsewhere.getOrDefault(id, keyspace.shards().place(id));
                new Moves<>(keyspace, layout)
                        .resume(id, last)
                        .ifPresent(stored -> found.put(id, stored));
            }
        }
        return found;
    }

    /** Reads each id at its place; a kind that shares its pattern is told by its index. */
    Map<String, Stored<E>> read(Map<String, Place> places) {
        List<Request> values = new ArrayList<>(places.size());
        List<Request> kinds = new ArrayList<>();
        places.forEach(
                (id, place) -> {
                    values.add(value(place, id));
                    layout.kind()
                            .ifPresent(
                                    kind ->
                                            kinds.add(
                                                    Request.reading(
                                                            place.order(),
                                                            place.slot(),
                                                            text("ZSCORE"),
                                                            place.key(kind),
                                                            text(id))));
                });
        values.forEach(redis::submit);
        kinds.forEach(redis::submit);
        Map<String, Stored<E>> found = new LinkedHashMap<>();
        int at = 0;
        for (Map.Entry<String, Place> each : places.entrySet()) {
            Raw raw = Replies.raw(layout, values.get(at).await());
            boolean ours = kinds.isEmpty() || kinds.get(at).await() != null;
            if (raw != null && ours) {
                found.put(each.getKey(), stored(each.getKey(), raw, each.getValue()));
            }
            at++;
        }
        return found;
    }

    /** On a single server everything is found everywhere; it belongs to its owner all the same. */
    Stored<E> stored(String id, Raw raw, Place found) {
        E value = layout.decode(layout.keyOf(id), raw);
        boolean home = keyspace.shards().cluster() || layout.pattern().tagged();
        Place place = home ? found : keyspace.shards().place(layout.ownerOf(value));
        return new Stored<>(id, value, raw, place);
    }

    private Request value(Place place, String id) {
        String command = layout.type() == KeyType.STRING ? "GET" : "HGETALL";
        return Request.reading(
                place.order(), place.slot(), text(command), place.key(layout.keyOf(id)));
    }
}
