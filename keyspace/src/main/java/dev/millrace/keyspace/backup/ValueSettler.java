package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Slots;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts values into the shards of a cluster, some at a time: asks the kind indexes, which are there
 * already, whose they are, reads them, and writes them to their owners' shards. For one thread.
 */
final class ValueSettler {
    private static final int MOST = 256;
    private static final long MOST_BYTES = 1024L * 1024;

    private final Ground ground;
    private final Shards shards;
    private final RestoreBatch batch;
    private final RestoreWriter writer;
    private final boolean fromCluster;
    private final List<Value> waiting = new ArrayList<>();
    private long bytes;

    /** A hash whose other parts are still to come. */
    private @Nullable Held begun;

    private record Value(Held held, String key, List<Layout<?>> layouts) {}

    /**
     * One of the layouts that a value may be of, where its kind is entered, and with which score.
     */
    private record Claimed(Layout<?> layout, Place kindAt, byte @Nullable [] score) {}

    ValueSettler(Ground ground, RestoreBatch batch, boolean fromCluster) {
        this.ground = ground;
        this.shards = ground.shards();
        this.batch = batch;
        this.writer = new RestoreWriter(batch);
        this.fromCluster = fromCluster;
    }

    /** Where an entity is looked for first. */
    Place firstPlace(Layout<?> layout, String id) {
        return shards.place(layout.mapping().ownerOfKey(layout.mapping().keyOf(id)).orElse(id));
    }

    /** Where entities are that have been put in already. */
    Map<String, Place> lastPlaces(Layout<?> layout, List<String> ids) {
        Map<String, Place> places = new HashMap<>();
        List<String> asked = new ArrayList<>();
        List<Request> requests = new ArrayList<>();
        for (String id : ids) {
            places.put(id, firstPlace(layout, id));
            if (!layout.mapping().ownerInKey()) {
                asked.add(id);
                requests.add(Homes.readPointer(shards.place(id), layout.mapping().keyOf(id)));
            }
        }
        Iterator<@Nullable Object> answers = ground.redis().callAll(requests).iterator();
        for (String id : asked) {
            Pointer.in(answers.next())
                    .filter(pointer -> pointer.shard() >= 0)
                    .ifPresent(pointer -> places.put(id, shards.shard(pointer.shard())));
        }
        return places;
    }

    void add(Held held, List<Spot> spots) {
        Optional<Held> whole = whole(held);
        if (whole.isEmpty()) {
            return;
        }
        List<Layout<?>> layouts = new ArrayList<>();
        for (Spot spot : spots) {
            if (spot.role() == Spot.Role.VALUE && spot.owner() instanceof Layout<?> layout) {
                layouts.add(layout);
            }
        }
        Part part = whole.get().part();
        waiting.add(new Value(whole.get(), Sorting.name(part.key()), layouts));
        bytes += part.body() instanceof Body.Text(byte[] text) ? text.length : 0;
        if (waiting.size() >= MOST || bytes >= MOST_BYTES) {
            flush();
        }
    }

    /** A large hash comes in parts, and only the whole of it says whose it is. */
    private Optional<Held> whole(Held held) {
        if (fromCluster || !(held.part().body() instanceof Body.Fields(List<byte[]> flat))) {
            return Optional.of(held);
        }
        Held sofar = held;
        if (begun != null && begun.part().body() instanceof Body.Fields(List<byte[]> before)) {
            List<byte[]> all = new ArrayList<>(before);
            all.addAll(flat);
            sofar = new Held(held.shard(), held.part().withBody(new Body.Fields(all)));
        }
        begun = held.part().last() ? null : sofar;
        return held.part().last() ? Optional.of(sofar) : Optional.empty();
    }

    void flush() {
        batch.flush();
        List<Request> questions = new ArrayList<>();
        for (Value value : waiting) {
            for (Layout<?> layout : value.layouts) {
                layout.mapping()
                        .kind()
                        .ifPresent(kind -> questions.add(question(value, layout, kind)));
            }
        }
        Iterator<@Nullable Object> answers = ground.redis().callAll(questions).iterator();
        for (Value value : waiting) {
            @Nullable Claimed claimed = null;
            for (Layout<?> layout : value.layouts) {
                boolean shared = layout.mapping().kind().isPresent();
                byte[] score = shared && answers.next() instanceof byte[] text ? text : null;
                if (claimed == null && (!shared || score != null)) {
                    claimed = new Claimed(layout, kindAt(value, layout), score);
                }
            }
            if (claimed == null) {
                byte[] key = value.held.part().key();
                writer.put(
                        fromCluster
                                ? shards.shard(value.held.shard())
                                : new Place(Slots.crc16(key), Slots.of(key), "", ""),
                        value.held.part());
            } else {
                settle(value, claimed);
            }
        }
        batch.flush();
        waiting.clear();
        bytes = 0;
    }

    private Request question(Value value, Layout<?> layout, String kind) {
        return kindAt(value, layout).ask("ZSCORE", kind, layout.mapping().idOf(value.key));
    }

    private Place kindAt(Value value, Layout<?> layout) {
        return fromCluster
                ? shards.shard(value.held.shard())
                : firstPlace(layout, layout.mapping().idOf(value.key));
    }

    private void settle(Value value, Claimed claimed) {
        Layout<?> layout = claimed.layout;
        Place home =
                fromCluster
                        ? claimed.kindAt
                        : home(layout, value).map(shards::place).orElse(claimed.kindAt);
        String id = layout.mapping().idOf(value.key);
        writer.put(home, value.held.part());
        if (Homes.needed(ground, layout, id, home)) {
            Place idPlace = shards.place(id);
            batch.write(
                    idPlace,
                    List.of(
                            text("SET"),
                            idPlace.key(Homes.pointerKey(value.key)),
                            text(Pointer.to(home, 0).text())));
        }
        if (claimed.score != null && home.shard() != claimed.kindAt.shard()) {
            String kind = layout.mapping().kind().orElseThrow();
            batch.write(home, List.of(text("ZADD"), home.key(kind), claimed.score, text(id)));
            batch.write(claimed.kindAt, List.of(text("ZREM"), claimed.kindAt.key(kind), text(id)));
        }
    }

    /** The owner; none if it cannot be told, and then it stays where its id points to. */
    private static <E> Optional<String> home(Layout<E> layout, Value value) {
        Optional<String> told = layout.mapping().ownerOfKey(value.key);
        if (told.isPresent()) {
            return told;
        }
        try {
            return raw(value.held.part().body())
                    .map(raw -> layout.mapping().ownerOf(layout.mapping().decode(value.key, raw)));
        } catch (UndecodableException e) {
            return Optional.empty();
        }
    }

    private static Optional<Raw> raw(Body body) {
        return switch (body) {
            case Body.Text(byte[] bytes) -> Optional.of(new Raw.Text(bytes));
            case Body.Fields(List<byte[]> flat) -> {
                Map<String, String> fields = new HashMap<>();
                for (int i = 0; i + 1 < flat.size(); i += 2) {
                    fields.put(Sorting.name(flat.get(i)), Sorting.name(flat.get(i + 1)));
                }
                yield Optional.of(new Raw.Fields(fields));
            }
            case Body.Items _, Body.Members _, Body.Scores _, Body.Entries _, Body.StreamState _ ->
                    Optional.empty();
        };
    }
}
