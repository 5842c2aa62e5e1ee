package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Located;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Codec;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Index;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Owner;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UnfitException;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.move.Moves;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads and writes the entities of one layout. Each write is one {@link Commit}: value and index
 * entries change together, and a replace or delete compares what it replaces. Blocking, meant for
 * virtual threads; thread-safe.
 */
public final class Store<E> {
    /** How often a read-change-write starts over when others were faster. */
    static final int ATTEMPTS = 16;

    private static final Script FIND = Script.reading(Store.class, "find");
    private static final Script WHOLE = Script.reading(Store.class, "whole");

    private final Ground ground;
    private final Layout<E> layout;
    private final Reader<E> reader;
    private final Mender mender;
    private final Sizes sizes = new Sizes();

    public Store(Ground ground, Layout<E> layout) {
        this.ground = ground;
        this.layout = layout;
        this.reader = new Reader<>(ground, layout);
        this.mender = new Mender(ground);
    }

    Mender mender() {
        return mender;
    }

    Sizes sizes() {
        return sizes;
    }

    public Layout<E> layout() {
        return layout;
    }

    // ---------------------------------------------------------------- writing

    /**
     * Stores an entity that is not there yet; DUPLICATE if it is, or if a unique field is taken.
     */
    public Outcome<Stored<E>> create(E entity) {
        return whereItLives(
                entity,
                located -> {
                    Raw raw = layout.mapping().encode(entity, null);
                    Outcome<Long> created =
                            ground.commit(located.place()).create(located, raw).run();
                    if (created instanceof Outcome.Unknown<Long> && isStored(located, raw)) {
                        created = resolved();
                    }
                    return created.map(done -> stored(located, raw));
                });
    }

    /** What we read is on the disk if the server promises that; of replicas a read says nothing. */
    private Outcome<Long> resolved() {
        return ground.redis().options().durability().replicas() == 0
                ? Outcome.done(0L)
                : new Outcome.Unconfirmed<>(0L, "Stored; the answer of the replicas was lost.");
    }

    /** A create whose answer was lost was done if our id is there with our bytes. */
    private boolean isStored(Located<E> located, Raw raw) {
        try {
            Stored<E> found = reader.read(Map.of(located.id(), located.place())).get(located.id());
            return found != null && found.raw().equals(raw);
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Stores an entity whether it is there or not. */
    public Outcome<Stored<E>> put(E entity) {
        if (layout.mapping().indexedByKeyAlone() && layout.mapping().ownerInKey()) {
            return whereItLives(
                    entity,
                    located -> {
                        Raw raw = layout.mapping().encode(entity, null);
                        return ground.commit(located.place())
                                .put(located, raw)
                                .run()
                                .map(done -> stored(located, raw));
                    });
        }
        return whereItLives(
                entity,
                located -> {
                    String id = located.id();
                    Outcome<Stored<E>> last = Outcome.notDone(Reason.CONFLICT, busy(id));
                    for (int attempt = 0; attempt < ATTEMPTS && worthRetrying(last); attempt++) {
                        Optional<Stored<E>> before = reader.get(id);
                        if (before.isEmpty() && last.failedBy(Reason.DUPLICATE)) {
                            return last; // a unique field, or the key, belongs to another one
                        }
                        last = before.isPresent() ? replace(before.get(), entity) : create(entity);
                        if (before.isPresent() && last.failedBy(Reason.DUPLICATE)) {
                            return last; // a unique field belongs to another one
                        }
                    }
                    return last;
                });
    }

    /** Stores a new state, if the entity is still as it was read: else CONFLICT or ABSENT. */
    public Outcome<Stored<E>> replace(Stored<E> before, E after) {
        return whereItLives(
                after,
                located -> {
                    Raw raw = layout.mapping().encode(after, before.raw());
                    return replace(before, located, raw)
                            .map(done -> stored(located, merged(before, raw)));
                });
    }

    private Outcome<Long> replace(Stored<E> before, Located<E> after, Raw raw) {
        Place place = after.place();
        if (place.together(before.place())) {
            return ground.commit(place).replace(before, after, raw).run();
        }
        if (!ground.shards().cluster()) {
            return ground.commit(place).acrossOwners().replace(before, after, raw).run();
        }
        Raw whole = merged(before, raw);
        return new Moves<>(ground, layout).move(before, after.entity(), whole, place);
    }

    private Stored<E> stored(Located<E> located, Raw raw) {
        return new Stored<>(located.id(), located.entity(), raw, located.place());
    }

    /** A hash keeps the fields that the layout does not declare. */
    private Raw merged(Stored<E> before, Raw raw) {
        if (before.raw() instanceof Raw.Fields(var old)
                && raw instanceof Raw.Fields(var now)
                && layout.mapping().codec() instanceof Codec.Fields<E> codec) {
            Map<String, String> all = new HashMap<>(old);
            all.keySet().removeAll(codec.names());
            all.putAll(now);
            return new Raw.Fields(all);
        }
        return raw;
    }

    /** Reads, changes and replaces, again and again until nobody came in between. */
    public Outcome<Stored<E>> update(String id, UnaryOperator<E> change) {
        return again(id, before -> replace(before, change.apply(before.value())));
    }

    /** Reads and writes until nobody comes in between; a read that fails has written nothing. */
    private Outcome<Stored<E>> again(String id, Function<Stored<E>, Outcome<Stored<E>>> write) {
        Outcome<Stored<E>> last = Outcome.notDone(Reason.CONFLICT, busy(id));
        for (int attempt = 0; attempt < ATTEMPTS && worthRetrying(last); attempt++) {
            Optional<Stored<E>> before;
            try {
                before = reader.get(id);
            } catch (RedisException e) {
                return Outcome.failed(e);
            }
            if (before.isEmpty()) {
                return absent(id);
            }
            last = write.apply(before.get());
            if (last.failedBy(Reason.DUPLICATE)) {
                return last; // a unique field belongs to another one
            }
        }
        return last;
    }

    /** Removes the entity, if it is still as it was read. */
    public Outcome<Stored<E>> delete(Stored<E> before) {
        return ground.commit(before.place()).delete(layout, before).run().map(done -> before);
    }

    /** Removes the entity whatever it is by now; ABSENT if there is none. */
    public Outcome<Stored<E>> delete(String id) {
        return again(id, this::delete);
    }

    // ---------------------------------------------------------------- reading

    public Optional<Stored<E>> get(String id) {
        return reader.get(id);
    }

    /** Those that exist, in the order of the ids. */
    public List<Stored<E>> getMany(Collection<String> ids) {
        return reader.getMany(List.copyOf(ids));
    }

    /**
     * An entity with its parts: what is on the list beside it. One round trip where the id leads to
     * its shard, as all that we made do. Parts that are gone are left out.
     */
    public <P> Optional<Whole<E, P>> whole(String id, Cell list, Layout<P> listed) {
        if (ground.catalogue().refusal(layout, id).isPresent()) {
            return Optional.empty();
        }
        Parts<P> parts = new Parts<>(ground, list, listed);
        Optional<Whole<E, P>> found = whole(id, parts, reader.placeOfKey(id));
        if (found.isPresent() || !ground.shards().cluster() || layout.mapping().ownerInKey()) {
            return found;
        }
        return reader.get(id).flatMap(elsewhere -> whole(id, parts, elsewhere.place()));
    }

    private <P> Optional<Whole<E, P>> whole(String id, Parts<P> parts, Place place) {
        List<byte[]> keys =
                new ArrayList<>(
                        List.of(
                                place.key(layout.mapping().keyOf(id)),
                                place.key(parts.listOf(id))));
        layout.mapping().kind().ifPresent(kind -> keys.add(place.key(kind)));
        List<byte[]> args =
                new ArrayList<>(
                        List.of(text(id), text(layout.type() == KeyType.STRING ? "s" : "h")));
        args.addAll(parts.partArgs(place));
        Request request =
                Request.script(
                        WHOLE,
                        place.order(),
                        place.slot(),
                        keys.toArray(byte[][]::new),
                        args.toArray(byte[][]::new));
        List<?> reply = Replies.list(ground.redis().call(request));
        Raw raw = reply.isEmpty() ? null : layout.mapping().raw(reply.getFirst());
        return raw == null
                ? Optional.empty()
                : Optional.of(
                        parts.whole(
                                reader.stored(id, raw, place), Replies.list(reply.get(1)), place));
    }

    /**
     * The entity whose unique field has this value; an entry that its value denies counts as none.
     */
    public Optional<Stored<E>> find(String uniqueIndex, String value) {
        Index<E> index = layout.mapping().index(uniqueIndex);
        if (index.unique == null) {
            throw new IllegalArgumentException(uniqueIndex + " is not a unique index.");
        }
        Place place =
                layout.mapping().owner() instanceof Owner.Site
                        ? ground.shards().place(Declaration.SITE)
                        : ground.shards().place(value);
        Request request =
                Request.script(
                        FIND,
                        place.order(),
                        place.slot(),
                        new byte[][] {place.key(index.pattern.key())},
                        text(value),
                        place.key(layout.mapping().head()),
                        text(layout.mapping().tail()),
                        text(layout.type() == KeyType.STRING ? "s" : "h"));
        List<?> reply = Replies.list(ground.redis().call(request));
        if (reply.size() < 2) {
            return Optional.empty();
        }
        Raw raw = layout.mapping().raw(reply.get(1));
        if (raw == null) {
            return Optional.empty();
        }
        Stored<E> found = reader.stored(Replies.textOrEmpty(reply.get(0)), raw, place);
        Entry expected = new Entry.Unique(index.pattern.key(), value, found.id());
        return layout.mapping().entries(found.value()).contains(expected)
                ? Optional.of(found)
                : Optional.empty();
    }

    /**
     * Asks an index, named by its pattern as it was declared, with a value for each variable:
     * {@code query("event:device:{device}", "pump")}.
     */
    public Query<E> query(String indexPattern, String... values) {
        return new Query<>(ground, this, reader, layout.mapping().index(indexPattern), values);
    }

    // ---------------------------------------------------------------- helpers

    /** Finds out id and place; an entity that has none that is allowed is refused. */
    private Outcome<Stored<E>> whereItLives(
            E entity, Function<Located<E>, Outcome<Stored<E>>> work) {
        try {
            return work.apply(Located.of(ground.shards(), layout, entity));
        } catch (BadKeyException | UnfitException e) {
            return Outcome.notDone(Reason.REFUSED, String.valueOf(e.getMessage()));
        } catch (RedisException e) {
            return Outcome.failed(e); // of a read that comes before the write
        }
    }

    private static boolean worthRetrying(Outcome<?> last) {
        return last.failedBy(Reason.CONFLICT)
                || last.failedBy(Reason.ABSENT)
                || last.failedBy(Reason.DUPLICATE);
    }

    private Outcome<Stored<E>> absent(String id) {
        return Outcome.notDone(Reason.ABSENT, layout.mapping().keyOf(id) + " is not there.");
    }

    private String busy(String id) {
        return layout.mapping().keyOf(id) + " is being changed by others; try again.";
    }
}
