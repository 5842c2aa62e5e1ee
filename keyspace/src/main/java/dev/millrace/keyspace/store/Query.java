package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Index;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Owner;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.outcome.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A question to one index. Entries come first and then their values, or both in one round trip
 * where the index is a set; an index that lies in every shard of a cluster is asked everywhere at
 * once and merged by (score, member). A value is shown only if it and its entry were there at one
 * moment. Values that cannot be read and entries without a value are left out; the check reports
 * them. In a layout that others write too, each hit is compared with its value and mended if it is
 * wrong.
 */
public final class Query<E> {
    /** A set has no order and is read whole; a larger one wants a sorted index. */
    public static final int LARGEST_SET = 100_000;

    private static final int LARGEST_PAGE = 10_000;

    private final Ground ground;
    private final Store<E> store;
    private final Reader<E> reader;
    private final Index<E> index;
    private final @Nullable String key;
    private List<Place> places;
    private boolean newestFirst;
    private double lowest = Double.NEGATIVE_INFINITY;
    private double highest = Double.POSITIVE_INFINITY;
    private int limit = 100;
    private @Nullable Cursor after;
    private @Nullable String other;

    Query(Ground ground, Store<E> store, Reader<E> reader, Index<E> index, String[] values) {
        this.ground = ground;
        this.store = store;
        this.reader = reader;
        this.index = index;
        this.key = keyOrNull(index, values);
        this.places = key == null ? List.of() : places(values);
    }

    /** A value outside its grammar cannot have been written: there is nothing to find. */
    private static @Nullable String keyOrNull(Index<?> index, String[] values) {
        try {
            return index.pattern.key(values);
        } catch (BadKeyException e) {
            return null;
        }
    }

    private List<Place> places(String[] values) {
        Shards shards = ground.shards();
        return switch (store.layout().mapping().owner()) {
            case Owner.Site() -> List.of(shards.place(Declaration.SITE));
            case Owner.Variable(String name) when index.pattern.variables().contains(name) ->
                    List.of(shards.place(values[index.pattern.variables().indexOf(name)]));
            case Owner.Variable(String name) -> shards.all();
            case Owner.OfId(var what, var of) -> shards.all();
            case Owner.Itself() -> shards.all();
        };
    }

    public Query<E> newestFirst() {
        newestFirst = true;
        return this;
    }

    public Query<E> oldestFirst() {
        newestFirst = false;
        return this;
    }

    /** Only entries with a score from {@code low} to {@code high}, both included. */
    public Query<E> between(double low, double high) {
        lowest = low;
        highest = high;
        return this;
    }

    /** At most so many; 10 000 is the most one page takes. */
    public Query<E> limit(int most) {
        if (most < 1 || most > LARGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LARGEST_PAGE + " items.");
        }
        limit = most;
        return this;
    }

    /** Only what comes behind the cursor, in the direction of this query. */
    public Query<E> after(Cursor cursor) {
        after = cursor;
        return this;
    }

    /**
     * Only what is in another index of the layout too, which must have the same scores. Of the two
     * the smaller one is walked. For {@link #walk}, in one shard: the owner is named by this index.
     */
    public Query<E> and(String indexPattern, String... values) {
        if (places.size() > 1) {
            throw new IllegalArgumentException(
                    index.pattern + " lies in all shards; ask " + indexPattern + " and this one.");
        }
        Index<E> second = store.layout().mapping().index(indexPattern);
        if (index.type != KeyType.SORTED_SET || second.type != KeyType.SORTED_SET) {
            throw new IllegalArgumentException("Both indexes must be sorted.");
        }
        other = keyOrNull(second, values);
        if (other == null) {
            places = List.of();
        }
        return this;
    }

    // ---------------------------------------------------------------- reading

    /**
     * All hits, read step by step while they are taken, however many they are.
     *
     * @param most how many at most
     */
    public Iterator<Stored<E>> walk(long most) {
        mustBeSorted();
        IndexScan<E> scan = scan(null);
        return new Walk<>(scan, most, Hit.Behind::stored);
    }

    /**
     * The same, each with its parts: what is on the list beside it, in the same round trips. Parts
     * that are gone are left out.
     */
    public <P> Iterator<Whole<E, P>> walk(long most, Cell list, Layout<P> listed) {
        mustBeSorted();
        Parts<P> along = new Parts<>(ground, list, listed);
        IndexScan<E> scan = scan(along);
        return new Walk<>(
                scan,
                most,
                behind -> along.whole(behind.stored(), behind.parts(), behind.hit().place()));
    }

    private void mustBeSorted() {
        if (index.type != KeyType.SORTED_SET) {
            throw new IllegalArgumentException(
                    "Only a sorted index is walked, not " + index.pattern);
        }
    }

    public Page<E> page() {
        return scan(null).page();
    }

    /** How many entries there are in the range. */
    public long count() {
        return scan(null).count();
    }

    /**
     * Deletes every entity in the range, oldest first, in small steps that leave room for others.
     *
     * @param progress told after each step how many are gone so far
     * @return how many were deleted; NotDone or Unknown as soon as a step was not done, with those
     *     before it gone
     */
    public Outcome<Long> delete(LongConsumer progress) {
        return new RangeDelete<>(ground, store, reader, this).run(progress);
    }

    Asked<E> asked() {
        return new Asked<>(index, key, other, places, newestFirst, lowest, highest, limit, after);
    }

    private IndexScan<E> scan(@Nullable Parts<?> along) {
        return new IndexScan<>(ground, store, reader, asked(), along);
    }
}
