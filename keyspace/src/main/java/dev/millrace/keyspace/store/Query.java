package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Index;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Owner;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A question to one index. Entries come with their values in one round trip; an index that lies in
 * every shard of a cluster is asked everywhere at once and merged by (score, member). Values that
 * cannot be read and entries without a value are left out; the check reports them. In a layout that
 * others write too, each hit is compared with its value and mended if it is wrong.
 */
public final class Query<E> {
    /** A set has no order and is read whole; a larger one wants a sorted index. */
    public static final int LARGEST_SET = 100_000;

    private static final int LARGEST_PAGE = 10_000;
    private static final int DELETE_STEP = 100;

    /** How many entries one call looks at when it looks for those of two indexes. */
    private static final int PROBES = 1000;

    private static final long NO_BUDGET = 1L << 40;
    private static final Script PAGE = Script.reading(Query.class, "page");
    private static final Script MEMBERS = Script.reading(Query.class, "members");

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
    private @Nullable Parts<?> parts;

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
     * All hits, read step by step while they are taken, however many they are. What fits in one
     * step is one round trip.
     *
     * @param most how many at most
     */
    public Iterator<Stored<E>> walk(long most) {
        mustBeSorted();
        return new Walk<>(this, most, hit -> verified(hit).orElse(null));
    }

    /**
     * The same, each with its parts: what is on the list beside it, in the same round trips. Parts
     * that are gone are left out.
     */
    public <P> Iterator<Whole<E, P>> walk(long most, Cell list, Layout<P> listed) {
        mustBeSorted();
        Parts<P> along = new Parts<>(ground, list, listed);
        parts = along;
        return new Walk<>(
                this,
                most,
                hit ->
                        verified(hit)
                                .map(stored -> along.whole(stored, hit.parts, hit.place))
                                .orElse(null));
    }

    private void mustBeSorted() {
        if (index.type != KeyType.SORTED_SET) {
            throw new IllegalArgumentException(
                    "Only a sorted index is walked, not " + index.pattern);
        }
    }

    public Page<E> page() {
        List<Hit> hits = hits();
        boolean more = hits.size() > limit;
        List<Hit> shown = more ? hits.subList(0, limit) : hits;
        List<Stored<E>> items = new ArrayList<>(shown.size());
        for (Hit hit : shown) {
            verified(hit).ifPresent(items::add);
        }
        Optional<Cursor> next =
                more
                        ? Optional.of(new Cursor(shown.getLast().score, shown.getLast().member))
                        : Optional.empty();
        return new Page<>(items, next);
    }

    /** How many entries there are in the range. */
    public long count() {
        List<Request> requests = new ArrayList<>();
        boolean whole = lowest == Double.NEGATIVE_INFINITY && highest == Double.POSITIVE_INFINITY;
        for (Place place : places) {
            byte[] bytes = place.key(String.valueOf(key));
            byte[][] command =
                    switch (index.type) {
                        case SORTED_SET ->
                                whole
                                        ? new byte[][] {text("ZCARD"), bytes}
                                        : new byte[][] {
                                            text("ZCOUNT"), bytes, bound(lowest), bound(highest)
                                        };
                        case SET -> new byte[][] {text("SCARD"), bytes};
                        case HASH, STRING, LIST, STREAM -> new byte[][] {text("HLEN"), bytes};
                    };
            requests.add(Request.reading(place.order(), place.slot(), command));
        }
        return ground.redis().callAll(requests).stream().mapToLong(Replies::number).sum();
    }

    /**
     * Deletes every entity in the range, oldest first, in small steps that leave room for others.
     *
     * @param progress told after each step how many are gone so far
     * @return how many were deleted; NotDone or Unknown as soon as a step was not done, with those
     *     before it gone
     */
    public Outcome<Long> delete(LongConsumer progress) {
        long deleted = 0;
        Outcome<?> worst = Outcome.done(0L);
        Query<E> step = oldestFirst().limit(DELETE_STEP);
        while (true) {
            Page<E> page;
            try {
                page = step.page();
            } catch (RedisException e) {
                return Outcome.notDone(
                        e.reason(), e.getMessage() + " " + deleted + " were deleted.");
            }
            List<CompletableFuture<Outcome<Stored<E>>>> going = new ArrayList<>();
            for (Stored<E> item : page.items()) {
                going.add(deletion(item));
            }
            for (CompletableFuture<Outcome<Stored<E>>> each : going) {
                switch (each.join()) {
                    case Outcome.Done<Stored<E>> done -> deleted++;
                    case Outcome.Unconfirmed<Stored<E>> stored -> {
                        deleted++;
                        worst = stored;
                    }
                    case Outcome.NotDone<Stored<E>>(Reason reason, String detail)
                            when reason == Reason.ABSENT -> {}
                    case Outcome.NotDone<Stored<E>>(Reason reason, String detail) -> {
                        return Outcome.notDone(reason, detail + " " + deleted + " were deleted.");
                    }
                    case Outcome.Unknown<Stored<E>>(String detail) -> {
                        return new Outcome.Unknown<>(detail + " " + deleted + " were deleted.");
                    }
                }
            }
            progress.accept(deleted);
            if (page.next().isEmpty()) {
                return Outcome.done(deleted).after(worst);
            }
            step.after(page.next().get());
        }
    }

    /** All deletions of a step travel together; one that others were faster at is tried again. */
    private CompletableFuture<Outcome<Stored<E>>> deletion(Stored<E> item) {
        return ground.commit(item.place())
                .delete(store.layout(), item)
                .send()
                .thenCompose(
                        outcome ->
                                outcome.failedBy(Reason.CONFLICT)
                                        ? CompletableFuture.supplyAsync(
                                                () -> deleteIfStillHere(item),
                                                Thread::startVirtualThread)
                                        : CompletableFuture.completedFuture(
                                                outcome.map(done -> item)));
    }

    /** What was changed meanwhile is deleted only if it still belongs in this range. */
    private Outcome<Stored<E>> deleteIfStillHere(Stored<E> item) {
        Outcome<Stored<E>> last = store.delete(item);
        for (int i = 1; i < Store.ATTEMPTS && last.failedBy(Reason.CONFLICT); i++) {
            Optional<Stored<E>> now = reader.get(item.id()).filter(this::isInRange);
            if (now.isEmpty()) {
                return Outcome.notDone(Reason.ABSENT, item.id() + " is not in the range any more.");
            }
            last = store.delete(now.get());
        }
        return last;
    }

    private boolean isInRange(Stored<E> item) {
        return store.layout().mapping().entries(item.value()).stream()
                .filter(entry -> entry.key().equals(key))
                .anyMatch(
                        entry ->
                                !(entry instanceof Entry.Sorted sorted)
                                        || (sorted.score() >= lowest && sorted.score() <= highest));
    }

    // ---------------------------------------------------------------- hits

    /** An entry that was found, with what lies behind it. */
    record Hit(
            String member,
            double score,
            @Nullable Object value,
            @Nullable Object parts,
            Place place,
            String key) {}

    List<Place> places() {
        return places;
    }

    @Nullable Cursor after() {
        return after;
    }

    List<@Nullable Object> ask(List<Request> requests) {
        return ground.redis().callAll(requests);
    }

    /** As Redis orders them. */
    Comparator<Hit> order() {
        Comparator<Hit> order =
                Comparator.comparingDouble(Hit::score)
                        .thenComparing(Hit::member, Query::compareBytes);
        return newestFirst ? order.reversed() : order;
    }

    private List<Hit> hits() {
        if (index.unique != null) {
            throw new IllegalArgumentException("Use Store.find for the unique " + index.pattern);
        }
        List<Request> requests = places.stream().map(this::request).toList();
        List<@Nullable Object> replies = ground.redis().callAll(requests);
        List<Hit> hits = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            collect(Replies.list(replies.get(i)), places.get(i), hits);
        }
        if (places.size() > 1 || index.type == KeyType.SET) {
            hits.sort(order());
            Set<String> seen = new HashSet<>();
            hits.removeIf(hit -> !seen.add(hit.member));
        }
        if (index.type == KeyType.SET && after != null) {
            int sign = newestFirst ? -1 : 1;
            String last = after.member();
            hits.removeIf(hit -> sign * compareBytes(hit.member, last) <= 0);
        }
        return hits;
    }

    /** Redis sorts equal scores by the bytes of their members. */
    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(text(one), text(other));
    }

    private Request request(Place place) {
        if (index.type == KeyType.SET) {
            Layout<E> layout = store.layout();
            return Request.script(
                    MEMBERS,
                    place.order(),
                    place.slot(),
                    new byte[][] {place.key(String.valueOf(key))},
                    number(LARGEST_SET),
                    place.key(layout.mapping().head()),
                    text(layout.mapping().tail()),
                    text(layout.type() == KeyType.STRING ? "s" : "h"));
        }
        return step(place, after, limit + 1, NO_BUDGET);
    }

    /** Asks one shard for what comes next. */
    Request step(Place place, @Nullable Cursor from, int count, long bytes) {
        Layout<E> layout = store.layout();
        List<byte[]> keys = new ArrayList<>(List.of(place.key(String.valueOf(key))));
        if (other != null) {
            keys.add(place.key(other));
        }
        List<byte[]> args =
                new ArrayList<>(
                        List.of(
                                bound(lowest),
                                bound(highest),
                                text(newestFirst ? "down" : "up"),
                                number(count),
                                from == null ? text("") : text(Entry.score(from.score())),
                                from == null ? text("") : text(from.member()),
                                place.key(layout.mapping().head()),
                                text(layout.mapping().tail()),
                                text(layout.type() == KeyType.STRING ? "s" : "h"),
                                number(bytes),
                                number(PROBES)));
        if (parts != null) {
            args.addAll(parts.listArgs(place));
            args.addAll(parts.partArgs(place));
        }
        return Request.script(
                PAGE,
                place.order(),
                place.slot(),
                keys.toArray(byte[][]::new),
                args.toArray(byte[][]::new));
    }

    /** What a shard has answered. A sorted index begins with where it stopped, a set does not. */
    void collect(List<?> reply, Place place, Collection<Hit> hits) {
        if (reply.size() == 1) {
            throw new RedisException(
                    Reason.TOO_LARGE,
                    "%s has %s members; a set is read whole and may have %d."
                            .formatted(key, reply.getFirst(), LARGEST_SET));
        }
        int first = index.type == KeyType.SET ? 0 : 3;
        int stride = parts == null ? 3 : 4;
        for (int i = first; i + stride <= reply.size(); i += stride) {
            hits.add(
                    new Hit(
                            Replies.textOrEmpty(reply.get(i)),
                            Double.parseDouble(Replies.textOrEmpty(reply.get(i + 1))),
                            reply.get(i + 2),
                            parts == null ? null : reply.get(i + 3),
                            place,
                            String.valueOf(key)));
        }
    }

    private Optional<Stored<E>> verified(Hit hit) {
        Layout<E> layout = store.layout();
        Raw raw = layout.mapping().raw(hit.value);
        Stored<E> stored = null;
        try {
            stored = raw == null ? null : reader.stored(hit.member, raw, hit.place);
        } catch (UndecodableException e) {
            return Optional.empty();
        }
        if (layout.mapping().isForeign()) {
            Entry entry =
                    index.type == KeyType.SET
                            ? new Entry.Member(hit.key, hit.member)
                            : new Entry.Sorted(hit.key, hit.score, hit.member);
            if (stored == null || !layout.mapping().entries(stored.value()).contains(entry)) {
                store.mender().mendWhatWasRead(layout, hit.place, hit.member, stored, entry);
                return Optional.empty();
            }
        }
        return Optional.ofNullable(stored);
    }

    private static byte[] bound(double score) {
        if (Double.isInfinite(score)) {
            return text(score > 0 ? "+inf" : "-inf");
        }
        return text(Entry.score(score));
    }
}
