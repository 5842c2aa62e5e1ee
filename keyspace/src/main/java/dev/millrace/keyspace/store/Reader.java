package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.move.Moves;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Reads entities by id. On a single server, and wherever the key names the owner, that is one
 * question. In a cluster an id points to its shard by itself if we made it; a foreign one has a
 * home pointer there. Value, pointer and a move that was cut short are asked for in one round trip.
 */
public final class Reader<E> {
    /** How often an entity is followed that moves on and on. */
    private static final int HOPS = 256;

    private static final Script TRACE = Script.reading(Reader.class, "trace");

    private final Ground ground;
    private final Layout<E> layout;
    private final Redis redis;

    public Reader(Ground ground, Layout<E> layout) {
        this.ground = ground;
        this.layout = layout;
        this.redis = ground.redis();
    }

    Optional<Stored<E>> get(String id) {
        List<Stored<E>> found = getMany(List.of(id));
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
    }

    /** Those that exist, in the order of the ids. */
    List<Stored<E>> getMany(List<String> ids) {
        Map<String, @Nullable Stored<E>> found = new LinkedHashMap<>();
        List<String> asked = new ArrayList<>();
        for (String id : new LinkedHashSet<>(ids)) {
            found.put(id, null);
            if (ground.catalogue().refusal(layout, id).isEmpty()) {
                asked.add(id);
            }
        }
        boolean direct = !ground.shards().cluster() || layout.mapping().ownerInKey();
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
        String key = layout.mapping().keyOf(id);
        if (layout.pattern().tagged()) {
            return ground.shards().tagged(key, layout.mapping().ownerOfKey(key).orElse(key));
        }
        return ground.shards().place(layout.mapping().ownerOfKey(key).orElse(id));
    }

    private static Collector<String, ?, Map<String, Place>> places(Function<String, Place> place) {
        return Collectors.toMap(id -> id, place, (one, other) -> one, LinkedHashMap::new);
    }

    /**
     * What moves between the questions for pointer and value looks absent; so of what was not found
     * a single question decides whether there is anything to be found.
     */
    private Map<String, Stored<E>> readByHome(List<String> ids) {
        Map<String, Stored<E>> found = new LinkedHashMap<>();
        List<String> open = readByHome(ids, found);
        List<Request> traces = open.stream().map(this::trace).toList();
        traces.forEach(redis::submit);
        for (int i = 0; i < open.size(); i++) {
            if (Replies.isPresent(traces.get(i).await())) {
                String id = open.get(i);
                follow(id, ids.size() > 1).ifPresent(stored -> found.put(id, stored));
            }
        }
        return found;
    }

    /** Asks the id's own shard whether the entity is there, or something that leads to it. */
    private Request trace(String id) {
        Place home = ground.shards().place(id);
        String key = layout.mapping().keyOf(id);
        List<byte[]> keys =
                new ArrayList<>(
                        List.of(
                                home.key(key),
                                home.key(Homes.pointerKey(key)),
                                home.key(Homes.MOVING.key(key)),
                                home.key(Homes.MOVED.key(key))));
        layout.mapping().kind().ifPresent(kind -> keys.add(home.key(kind)));
        return Request.script(
                TRACE, home.order(), home.slot(), keys.toArray(byte[][]::new), text(id));
    }

    /** Returns the ids of which nothing was seen. */
    private List<String> readByHome(List<String> ids, Map<String, Stored<E>> found) {
        Map<String, Place> homes = new LinkedHashMap<>();
        List<Request> requests = new ArrayList<>();
        for (String id : ids) {
            Place place = ground.shards().place(id);
            homes.put(id, place);
            requests.add(Homes.readPointer(place, layout.mapping().keyOf(id)));
        }
        // Sent first, so that they travel with the values.
        requests.forEach(redis::submit);
        boolean many = ids.size() > 1;
        found.putAll(many ? readMany(homes) : readEach(homes));
        Map<String, Place> elsewhere = new LinkedHashMap<>();
        List<String> open = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            Optional<Pointer> pointer = Pointer.in(requests.get(i).await());
            if (pointer.isPresent() && !found.containsKey(id)) {
                elsewhere.put(id, placeOf(pointer).orElse(ground.shards().place(id)));
            } else if (!found.containsKey(id)) {
                open.add(id);
            }
        }
        found.putAll(many ? readMany(elsewhere) : readEach(elsewhere));
        for (String id : elsewhere.keySet()) {
            if (!found.containsKey(id)) {
                follow(id, many).ifPresent(stored -> found.put(id, stored));
            }
        }
        return open;
    }

    private Optional<Place> placeOf(Optional<Pointer> pointer) {
        return pointer.filter(each -> each.shard() >= 0)
                .map(each -> ground.shards().shard(each.shard()));
    }

    private Optional<Stored<E>> follow(String id, boolean amongMany) {
        try {
            return follow(id);
        } catch (RedisException e) {
            if (amongMany && e.reason() == Reason.WRONG_TYPE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Looks for an entity that was not where its pointer leads: deleted, or moving meanwhile. A
     * pointer follows before the receipt of a move goes, and no two pointers are equal: so one that
     * is still the same, when there was neither value nor receipt where it leads, leads to nothing.
     */
    private Optional<Stored<E>> follow(String id) {
        Homes homes = new Homes(ground);
        Moves<E> moves = new Moves<>(ground, layout);
        Place home = ground.shards().place(id);
        String key = layout.mapping().keyOf(id);
        Optional<Pointer> last = Optional.of(Pointer.parse(""));
        for (int hop = 0; hop < HOPS; hop++) {
            Optional<Pointer> pointer = homes.pointer(home, key);
            Place place = placeOf(pointer).orElse(home);
            Stored<E> found = read(Map.of(id, place)).get(id);
            if (found != null) {
                return Optional.of(found);
            }
            Optional<Pointer> receipt = moves.receipt(key, place);
            Place to = placeOf(receipt).orElse(place);
            Stored<E> moved = moves.resume(id, to) ? read(Map.of(id, to)).get(id) : null;
            if (moved != null) {
                return Optional.of(moved);
            }
            boolean gone =
                    pointer.isEmpty()
                            ? !Replies.isPresent(redis.call(trace(id)))
                            : receipt.isEmpty() && pointer.equals(last);
            if (gone) {
                return Optional.empty();
            }
            last = pointer;
        }
        return Optional.empty();
    }

    /**
     * Reads each id at its place; a kind that shares its pattern is told by its index. Asked for
     * one alone, a key of another type is an error; among many it is not there.
     */
    public Map<String, Stored<E>> read(Map<String, Place> places) {
        return places.size() > 1 ? readMany(places) : readEach(places);
    }

    private Map<String, Stored<E>> readMany(Map<String, Place> places) {
        if (layout.type() != KeyType.STRING) {
            return readEach(places);
        }
        List<String> ids = List.copyOf(places.keySet());
        List<byte @Nullable []> values =
                new ManyGets(redis, layout).get(ids, List.copyOf(places.values()));
        Map<String, Stored<E>> found = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            byte[] value = values.get(i);
            if (value != null) {
                String id = ids.get(i);
                Place place = Objects.requireNonNull(places.get(id));
                found.put(id, stored(id, new Raw.Text(value), place));
            }
        }
        return found;
    }

    private Map<String, Stored<E>> readEach(Map<String, Place> places) {
        List<Request> values = new ArrayList<>(places.size());
        List<Request> kinds = new ArrayList<>();
        places.forEach(
                (id, place) -> {
                    values.add(value(place, id));
                    layout.mapping()
                            .kind()
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
            Raw raw = layout.mapping().raw(values.get(at).await());
            boolean ours = kinds.isEmpty() || kinds.get(at).await() != null;
            if (raw != null && ours) {
                found.put(each.getKey(), stored(each.getKey(), raw, each.getValue()));
            }
            at++;
        }
        return found;
    }

    /**
     * What was read, with the place of its owner: what is written next to it must meet it there.
     */
    Stored<E> stored(String id, Raw raw, Place place) {
        E value = layout.mapping().decode(layout.mapping().keyOf(id), raw);
        if (layout.pattern().tagged()) {
            return new Stored<>(id, value, raw, place);
        }
        Place home = ground.shards().place(layout.mapping().ownerOf(value));
        boolean here = !ground.shards().cluster() || home.together(place);
        return new Stored<>(id, value, raw, here ? home : place);
    }

    private Request value(Place place, String id) {
        String command = layout.type() == KeyType.STRING ? "GET" : "HGETALL";
        return Request.reading(
                place.order(), place.slot(), text(command), place.key(layout.mapping().keyOf(id)));
    }
}
