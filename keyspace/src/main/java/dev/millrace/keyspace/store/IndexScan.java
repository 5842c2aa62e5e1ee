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
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the answer to a query is read. Of a sorted index first the entries, then what lies behind
 * them ({@link Values}); from the beginning of an index that takes no script. Hits of several
 * shards are merged as Redis orders them. The members of a set are read whole, in one call, and
 * then the values of those that are shown, step by step: ten thousand hashes in one call would hold
 * up everybody else for a third of a second.
 */
final class IndexScan<E> {
    /** How many entries one call looks at when it looks for those of two indexes. */
    private static final int PROBES = 1000;

    /** How many parts are listed in one step, or as many as one entity has. */
    private static final int STEP_PARTS = 2000;

    private static final Script ENTRIES = Script.reading(IndexScan.class, "entries");
    private static final Script MEMBERS = Script.reading(IndexScan.class, "members");
    private static final Script VALUES = Script.reading(IndexScan.class, "values");

    /** Of a set: one or two milliseconds of the server's time, where they are hashes. */
    private static final int STEP_MEMBERS = 200;

    private final Ground ground;
    private final Layout<E> layout;
    private final Asked<E> asked;
    private final Index<E> index;
    private final String key;
    private final @Nullable Parts<?> parts;
    private final Values<E> values;

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
        this.layout = store.layout();
        this.asked = asked;
        this.index = asked.index();
        this.key = String.valueOf(asked.key());
        this.parts = parts;
        this.values = new Values<>(ground, store, reader, asked, parts);
    }

    /** Where a shard's part of the answer begins; without a cursor at the end of the index. */
    record Start(Place place, @Nullable Cursor from) {}

    /**
     * Entries of one shard.
     *
     * @param next where to go on; null if there are no more
     */
    record Found(List<Hit> hits, @Nullable Cursor next) {}

    // ---------------------------------------------------------------- whole answers

    Page<E> page() {
        if (index.unique != null) {
            throw new IllegalArgumentException("Use Store.find for the unique " + index.pattern);
        }
        return index.type == KeyType.SET ? pageOfSet() : pageOfSorted();
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

    private Page<E> pageOfSorted() {
        List<Found> found =
                find(
                        asked.places().stream()
                                .map(place -> new Start(place, asked.after()))
                                .toList(),
                        asked.limit());
        if (found.size() == 1) {
            return page(found.getFirst().hits, found.getFirst().next);
        }
        boolean more = false;
        List<Hit> hits = new ArrayList<>();
        for (Found each : found) {
            hits.addAll(each.hits);
            more |= each.next != null;
        }
        hits.sort(order());
        // While it moves to another shard an entity may be found in both, and soon only in one.
        Set<String> members = new HashSet<>();
        int shown = 0;
        while (shown < hits.size()
                && (members.contains(hits.get(shown).member()) || members.size() < asked.limit())) {
            members.add(hits.get(shown++).member());
        }
        more |= shown < hits.size();
        List<Hit> first = hits.subList(0, shown);
        return page(first, more && shown > 0 ? first.getLast().cursor() : null);
    }

    private Page<E> page(List<Hit> hits, @Nullable Cursor next) {
        List<Hit.Behind<E>> behind = values.all(hits);
        if (asked.places().size() > 1) {
            behind.sort(Comparator.comparing(Hit.Behind::hit, order()));
        }
        Set<String> seen = HashSet.newHashSet(behind.size());
        List<Stored<E>> items = new ArrayList<>(behind.size());
        for (Hit.Behind<E> each : behind) {
            if (seen.add(each.hit().member())) {
                items.add(each.stored());
            }
        }
        return new Page<>(items, Optional.ofNullable(next));
    }

    private Page<E> pageOfSet() {
        List<Place> places = asked.places();
        List<@Nullable Object> replies =
                ground.redis().callAll(places.stream().map(this::members).toList());
        List<Hit> hits = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            Object reply = replies.get(i);
            mustBeWhole(reply);
            for (Object each : Replies.list(reply)) {
                String member = Replies.textOrEmpty(each);
                if (isBehindCursor(member)) {
                    hits.add(new Hit(member, 0, places.get(i), List.of()));
                }
            }
        }
        hits.sort(order());
        Set<String> seen = new HashSet<>();
        hits.removeIf(each -> !seen.add(each.member()));
        boolean more = hits.size() > asked.limit();
        List<Hit> shown = more ? hits.subList(0, asked.limit()) : hits;
        Map<Hit, @Nullable Object> read = valuesOf(shown);
        List<Stored<E>> items = new ArrayList<>(shown.size());
        for (Hit hit : shown) {
            Object value = read.get(hit);
            if (!(value instanceof Long)) {
                Entry entry = new Entry.Member(key, hit.member());
                values.verified(hit, value, entry).ifPresent(items::add);
            }
        }
        return new Page<>(items, more ? Optional.of(shown.getLast().cursor()) : Optional.empty());
    }

    private void mustBeWhole(@Nullable Object reply) {
        if (reply instanceof Long size) {
            throw new RedisException(
                    Reason.TOO_LARGE,
                    "%s has %s members; a set is read whole and may have %d."
                            .formatted(key, size, Query.LARGEST_SET));
        }
    }

    /** What lies behind these members of a set: of each shard so many in one step. */
    private Map<Hit, @Nullable Object> valuesOf(List<Hit> hits) {
        Map<Place, List<Hit>> open = new LinkedHashMap<>();
        hits.forEach(hit -> open.computeIfAbsent(hit.place(), all -> new ArrayList<>()).add(hit));
        Map<Hit, @Nullable Object> read = HashMap.newHashMap(hits.size());
        while (!open.isEmpty()) {
            List<List<Hit>> asks =
                    open.values().stream()
                            .map(each -> each.subList(0, Math.min(each.size(), STEP_MEMBERS)))
                            .toList();
            List<@Nullable Object> replies =
                    ground.redis().callAll(asks.stream().map(this::behind).toList());
            for (int i = 0; i < asks.size(); i++) {
                List<Hit> ask = asks.get(i);
                List<?> reply = Replies.list(replies.get(i));
                for (int at = 0; at < ask.size(); at++) {
                    read.put(ask.get(at), reply.get(at));
                }
                open.computeIfPresent(
                        ask.getFirst().place(),
                        (place, left) ->
                                ask.size() == left.size()
                                        ? null
                                        : left.subList(ask.size(), left.size()));
            }
        }
        return read;
    }

    private boolean isBehindCursor(String member) {
        Cursor after = asked.after();
        int sign = asked.newestFirst() ? -1 : 1;
        return after == null || sign * compareBytes(member, after.member()) > 0;
    }

    private Request members(Place place) {
        return Request.script(
                MEMBERS,
                place.order(),
                place.slot(),
                new byte[][] {place.key(key)},
                number(Query.LARGEST_SET));
    }

    private Request behind(List<Hit> hits) {
        Place place = hits.getFirst().place();
        byte[][] args = new byte[3 + hits.size()][];
        args[0] = place.key(layout.mapping().head());
        args[1] = text(layout.mapping().tail());
        args[2] = text(layout.type() == KeyType.STRING ? "s" : "h");
        for (int i = 0; i < hits.size(); i++) {
            args[3 + i] = text(hits.get(i).member());
        }
        return Request.script(
                VALUES, place.order(), place.slot(), new byte[][] {place.key(key)}, args);
    }

    // ---------------------------------------------------------------- steps

    List<Place> places() {
        return asked.places();
    }

    @Nullable Cursor after() {
        return asked.after();
    }

    Values<E> values() {
        return values;
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

    /** The next entries of some shards, so many of each; one round trip for all. */
    List<Found> find(List<Start> starts, int count) {
        List<@Nullable Object> replies =
                ground.redis()
                        .callAll(
                                starts.stream()
                                        .map(
                                                each ->
                                                        isPlain(each)
                                                                ? range(each.place, count + 1)
                                                                : entries(each, count))
                                        .toList());
        List<Found> found = new ArrayList<>(starts.size());
        for (int i = 0; i < starts.size(); i++) {
            Start start = starts.get(i);
            List<?> reply = Replies.list(replies.get(i));
            found.add(
                    isPlain(start)
                            ? foundInRange(reply, start.place, count)
                            : foundByScript(reply, start.place));
        }
        return found;
    }

    private boolean isPlain(Start start) {
        return start.from == null && asked.other() == null && parts == null;
    }

    private Request range(Place place, int count) {
        List<byte[]> command = new ArrayList<>(10);
        command.add(text("ZRANGE"));
        command.add(place.key(key));
        if (asked.isWholeIndex()) {
            command.add(number(0));
            command.add(number(count - 1L));
        } else {
            command.add(bound(asked.newestFirst() ? asked.highest() : asked.lowest()));
            command.add(bound(asked.newestFirst() ? asked.lowest() : asked.highest()));
            command.add(text("BYSCORE"));
        }
        if (asked.newestFirst()) {
            command.add(text("REV"));
        }
        if (!asked.isWholeIndex()) {
            command.add(text("LIMIT"));
            command.add(number(0));
            command.add(number(count));
        }
        command.add(text("WITHSCORES"));
        return Request.reading(place.order(), place.slot(), command.toArray(byte[][]::new));
    }

    private Request entries(Start start, int count) {
        Place place = start.place;
        Cursor from = start.from;
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
                                number(PROBES)));
        if (parts != null) {
            args.addAll(parts.listArgs(place));
            args.add(number(Whole.MOST_PARTS));
            args.add(number(STEP_PARTS));
        }
        return Request.script(
                ENTRIES,
                place.order(),
                place.slot(),
                keys.toArray(byte[][]::new),
                args.toArray(byte[][]::new));
    }

    private static Found foundInRange(List<?> reply, Place place, int count) {
        List<Hit> hits = hits(reply, List.of(), place);
        return hits.size() > count
                ? new Found(hits.subList(0, count), hits.get(count - 1).cursor())
                : new Found(hits, null);
    }

    private static Found foundByScript(List<?> reply, Place place) {
        List<?> lists = reply.size() > 4 ? Replies.list(reply.get(4)) : List.of();
        Cursor next =
                Replies.textOrEmpty(reply.getFirst()).equals("1")
                        ? new Cursor(Replies.score(reply.get(1)), Replies.textOrEmpty(reply.get(2)))
                        : null;
        return new Found(hits(Replies.list(reply.get(3)), lists, place), next);
    }

    private static List<Hit> hits(List<?> flat, List<?> lists, Place place) {
        List<Hit> hits = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            List<String> listed = lists.isEmpty() ? List.of() : texts(lists.get(i / 2));
            hits.add(
                    new Hit(
                            Replies.textOrEmpty(flat.get(i)),
                            Replies.score(flat.get(i + 1)),
                            place,
                            listed));
        }
        return hits;
    }

    private static List<String> texts(@Nullable Object reply) {
        return Replies.list(reply).stream().map(Replies::textOrEmpty).toList();
    }

    private static byte[] bound(double score) {
        if (Double.isInfinite(score)) {
            return text(score > 0 ? "+inf" : "-inf");
        }
        return text(Entry.score(score));
    }
}
