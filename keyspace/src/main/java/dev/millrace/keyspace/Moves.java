package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A change of owner in a cluster: the entity moves to another shard, and no script sees both.
 *
 * <ol>
 *   <li><b>copy</b>: the new state is laid down in the new shard under {@code
 *       millrace:moving:{id}}, where no get and no index finds it; what could keep it from being
 *       finished is settled now: unique fields are reserved, and the types of all keys are probed;
 *   <li><b>switch</b>: value and entries are removed from the old shard, if they are still as they
 *       were read. From here on the move happens; before, it did not;
 *   <li><b>finish</b>: in the new shard the copy becomes the value, with its entries.
 * </ol>
 *
 * <p>Whoever finds a copy whose old value is gone, a reader or the check, finishes the move; a copy
 * whose old value is still there belongs to a move that was never made, and the check discards it.
 * So an entity is never in two shards and never lost. Between switch and finish a page over an
 * index may miss it for a moment.
 */
final class Moves<E> {
    private final Keyspace keyspace;
    private final Layout<E> layout;

    Moves(Keyspace keyspace, Layout<E> layout) {
        this.keyspace = keyspace;
        this.layout = layout;
    }

    Outcome<Long> move(Stored<E> before, E after, Raw raw, Place to) {
        String key = layout.keyOf(before.id());
        Place from = before.place();
        Place idPlace = keyspace.shards().place(before.id());
        long now = Homes.millis(keyspace.redis().call(Homes.time(to)));
        byte[] copy = encode(from, now, raw);

        Outcome<Long> copied =
                keyspace.commit(to)
                        .raw('a', key)
                        .also(commit -> reserve(commit, after))
                        .raw('S', Keyspace.MOVING.key(key), copy)
                        .twice()
                        .run();
        if (!copied.isDone()) {
            return copied;
        }
        Commit switching = keyspace.commit(from).delete(layout, before);
        if (idPlace.together(from)) {
            switching.raw('S', Homes.pointerKey(key), text(Homes.pointer(to, now)));
        }
        Outcome<Long> switched = switching.run();
        return switch (switched) {
            case Outcome.Done<Long> done -> {
                if (!idPlace.together(from) && !idPlace.together(to)) {
                    point(idPlace, key, to, now);
                }
                yield moved(finish(before.id(), key, after, raw, copy, to));
            }
            case Outcome.NotDone<Long> not -> {
                discard(key, after, copy, to);
                yield not;
            }
            case Outcome.Unknown<Long> unknown -> unknown;
        };
    }

    /** Removing an entry that is not there changes nothing, and probes the type of its key. */
    private void reserve(Commit commit, E entity) {
        for (Entry entry : layout.entries(entity)) {
            if (entry instanceof Entry.Unique) {
                commit.enter(entry);
            } else {
                commit.leave(entry);
            }
        }
    }

    /** The switch is made: a check that fails now says that somebody else has finished the move. */
    private static Outcome<Long> moved(Outcome<Long> finished) {
        return switch (finished) {
            case Outcome.NotDone<Long>(Reason reason, String detail)
                    when reason == Reason.DUPLICATE
                            || reason == Reason.ABSENT
                            || reason == Reason.CONFLICT ->
                    Outcome.done(0L);
            case Outcome.NotDone<Long>(Reason reason, String detail) ->
                    new Outcome.Unknown<>(
                            "On its way to its new owner; whoever reads it next finishes the move: "
                                    + detail);
            case Outcome.Done<Long> done -> done;
            case Outcome.Unknown<Long> unknown -> unknown;
        };
    }

    private void point(Place idPlace, String key, Place to, long now) {
        keyspace.commit(idPlace)
                .raw('S', Homes.pointerKey(key), text(Homes.pointer(to, now)))
                .twice()
                .run();
    }

    private Outcome<Long> finish(String id, String key, E entity, Raw raw, byte[] copy, Place to) {
        Commit finish =
                keyspace.commit(to)
                        .create(layout, entity, raw)
                        .raw('e', Keyspace.MOVING.key(key), copy)
                        .raw('D', Keyspace.MOVING.key(key));
        if (keyspace.shards().place(id).together(to)) {
            finish.raw('D', Homes.pointerKey(key));
        }
        return finish.run();
    }

    private void discard(String key, E entity, byte[] copy, Place to) {
        Commit discard =
                keyspace.commit(to)
                        .raw('e', Keyspace.MOVING.key(key), copy)
                        .raw('D', Keyspace.MOVING.key(key));
        for (Entry entry : layout.entries(entity)) {
            if (entry instanceof Entry.Unique) {
                discard.leave(entry);
            }
        }
        discard.twice().run();
    }

    /** Finishes a move that was cut short between switch and finish, if there is one here. */
    Optional<Stored<E>> resume(String id, Place to) {
        String key = layout.keyOf(id);
        byte[] copy = readCopy(key, to);
        if (copy == null || !layoutIn(copy).equals(layout.name())) {
            return Optional.empty();
        }
        Place from = keyspace.shards().shard(Integer.parseInt(header(copy)[0]));
        Reader<E> reader = new Reader<>(keyspace, layout);
        if (!reader.read(Map.of(id, from)).isEmpty()) {
            return Optional.empty();
        }
        Raw raw = decode(copy);
        E entity = layout.decode(key, raw);
        if (!keyspace.shards().place(layout.ownerOf(entity)).together(to)) {
            return Optional.empty();
        }
        Place idPlace = keyspace.shards().place(id);
        if (!idPlace.together(to)) {
            point(idPlace, key, to, begunAt(copy));
        }
        Outcome<Long> finished = finish(id, key, entity, raw, copy, to);
        if (moved(finished).isDone()) {
            return Optional.ofNullable(reader.read(Map.of(id, to)).get(id));
        }
        // It cannot be finished now (the server is full, say); it exists all the same.
        return Optional.of(new Stored<>(id, entity, raw, to));
    }

    /** Removes a copy whose move was never made; false if its old value is gone. */
    boolean discardIfNotMoved(String id, Place to) {
        String key = layout.keyOf(id);
        byte[] copy = readCopy(key, to);
        if (copy == null) {
            return false;
        }
        Place from = keyspace.shards().shard(Integer.parseInt(header(copy)[0]));
        if (new Reader<>(keyspace, layout).read(Map.of(id, from)).isEmpty()) {
            return false;
        }
        discard(key, layout.decode(key, decode(copy)), copy, to);
        return true;
    }

    private byte @Nullable [] readCopy(String key, Place to) {
        Request read =
                Request.reading(
                        to.order(), to.slot(), text("GET"), to.key(Keyspace.MOVING.key(key)));
        return (byte[]) keyspace.redis().call(read);
    }

    /**
     * {@code shard|time|layout}, a line end, then the value; of a hash the fields, each with its
     * length.
     */
    private byte[] encode(Place from, long now, Raw raw) {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        copy.writeBytes(text(from.shard() + "|" + now + "|" + layout.name() + "\n"));
        switch (raw) {
            case Raw.Text(byte[] bytes) -> copy.writeBytes(bytes);
            case Raw.Fields(var fields) ->
                    fields.forEach(
                            (field, value) -> {
                                part(copy, field);
                                part(copy, value);
                            });
        }
        return copy.toByteArray();
    }

    private static void part(ByteArrayOutputStream copy, String part) {
        byte[] bytes = text(part);
        copy.writeBytes(text(bytes.length + ":"));
        copy.writeBytes(bytes);
    }

    static long begunAt(byte[] copy) {
        return Long.parseLong(header(copy)[1]);
    }

    static String layoutIn(byte[] copy) {
        return header(copy)[2];
    }

    private static String[] header(byte[] copy) {
        return new String(copy, 0, lineEnd(copy), UTF_8).split("\\|", 3);
    }

    private static int lineEnd(byte[] copy) {
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] == '\n') {
                return i;
            }
        }
        throw new IllegalArgumentException("This is no copy of a moving entity.");
    }

    private Raw decode(byte[] copy) {
        byte[] value = Arrays.copyOfRange(copy, lineEnd(copy) + 1, copy.length);
        if (layout.type() == KeyType.STRING) {
            return new Raw.Text(value);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int at = 0; at < value.length; ) {
            String[] pair = new String[2];
            for (int i = 0; i < 2; i++) {
                int colon = at;
                while (value[colon] != ':') {
                    colon++;
                }
                int length = Integer.parseInt(new String(value, at, colon - at, UTF_8));
                pair[i] = new String(value, colon + 1, length, UTF_8);
                at = colon + 1 + length;
            }
            fields.put(pair[0], pair[1]);
        }
        return new Raw.Fields(fields);
    }
}
