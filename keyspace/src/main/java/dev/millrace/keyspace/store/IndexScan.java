package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Index;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the answer to a query is read: which request goes to which shard, what comes back, and
 * whether a hit is what its entry says. Hits of several shards are merged as Redis orders them.
 */
final class IndexScan<E> {
    /** How many entries one call looks at when it looks for those of two indexes. */
    private static final int PROBES = 1000;

    private static final long NO_BUDGET = 1L << 40;
    private static final Script PAGE = Script.reading(IndexScan.class, "page");
    private static final Script MEMBERS = Script.reading(IndexScan.class, "members");

    private final Ground ground;
    private final Store<E> store;
    private final Reader<E> reader;
    private final Asked<E> asked;
    private final Index<E> index;
    private final String key;
    private final @Nullable Parts<?> parts;

    /**
     * A scan.
     *
     * @param parts what is read along with each hit
     */
    IndexScan(
            Ground ground,
            Store<E> store,
            Reader<E> reader,
            Asked<E> asked,
            @Nullable Parts<?> parts) {
        this.ground = ground;
        this.store = store;
        this.reader = reader;
        this.asked = asked;
        this.index = asked.index();
        this.key = String.valueOf(asked.key());
        this.parts = parts;
    }

    /** An entry that was found, with what lies behind it. */
    record Hit(
            String member,
            double score,
            @Nullable Object value,
            @Nullable Object parts,
            Place place,
            String key) {}

    // ---------------------------------------------------------------- whole answers

    Page<E> page() {
        List<Hit> hits = hits();
        boolean more = hits.size() > asked.limit();
        List<Hit> shown = more ? hits.subList(0, asked.limit()) : hits;
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
    long count() {
        List<Request> requests = new ArrayList<>();
        boolean whole = asked.isWholeIndex();
        for (Place place : asked.places()) {
            byte[] bytes = place.key(key);
            byte[][] command =
                    switch (index.type) {
                        case SORTED_SET ->
                                whole
                                        ? new byte[][] {text("ZCARD"), bytes}
                                        : new byte[][] {
                                            text("ZCOUNT"),
                                            bytes,
                                            bound(asked.lowest()),
                                            bound(asked.highest())
                                        };
                        case SET -> new byte[][] {text("SCARD"), bytes};
                        case HASH, STRING, LIST, STREAM -> new byte[][] {text("HLEN"), bytes};
                    };
            requests.add(Request.reading(place.order(), place.slot(), command));
        }
        return ground.redis().callAll(requests).stream().mapToLong(Replies::number).sum();
    }

    /** The hits of one page and one more, if there is more. */
    private List<Hit> hits() {
        if (index.unique != null) {
            throw new IllegalArgumentException("Use Store.find for the unique " + index.pattern);
        }
        List<Place> places = asked.places();
        List<@Nullable Object> replies = ask(places.stream().map(this::request).toList());
        List<Hit> hits = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            collect(Replies.list(replies.get(i)), places.get(i), hits);
        }
        if (places.size() > 1 || index.type == KeyType.SET) {
            hits.sort(order());
            Set<String> seen = new HashSet<>();
            hits.removeIf(hit -> !seen.add(hit.member));
        }
        Cursor after = asked.after();
        if (index.type == KeyType.SET && after != null) {
            int sign = asked.newestFirst() ? -1 : 1;
            String last = after.member();
            hits.removeIf(hit -> sign * compareBytes(hit.member, last) <= 0);
        }
        return hits;
    }

    // ---------------------------------------------------------------- steps

    List<Place> places() {
        return asked.places();
    }

    @Nullable Cursor after() {
        return asked.after();
    }

    List<@Nullable Object> ask(List<Request> requests) {
        return ground.redis().callAll(requests);
    }

    /** As Redis orders them. */
    Comparator<Hit> order() {
        Comparator<Hit> order =
                Comparator.comparingDouble(Hit::score)
                        .thenComparing(Hit::member, IndexScan::compareBytes);
        return asked.newestFirst() ? order.reversed() : order;
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
                    new byte[][] {place.key(key)},
                    number(Query.LARGEST_SET),
                    place.key(layout.mapping().head()),
                    text(layout.mapping().tail()),
                    text(layout.type() == KeyType.STRING ? "s" : "h"));
        }
        return step(place, asked.after(), asked.limit() + 1, NO_BUDGET);
    }

    /** Asks one shard for what comes next. */
    Request step(Place place, @Nullable Cursor from, int count, long bytes) {
        Layout<E> layout = store.layout();
        List<byte[]> keys = new ArrayList<>(List.of(place.key(key)));
        String other = asked.other();
        if (other != null) {
            keys.add(place.key(other));
        }
        List<byte[]> args =
                new ArrayList<>(
                        List.of(
                                bound(asked.lowest()),
                                bound(asked.highest()),
                                text(asked.newestFirst() ? "down" : "up"),
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
                            .formatted(key, reply.getFirst(), Query.LARGEST_SET));
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
                            key));
        }
    }

    /** What a hit leads to; in a layout that others write too, only if it asks for the entry. */
    Optional<Stored<E>> verified(Hit hit) {
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
