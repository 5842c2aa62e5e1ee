package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strings by their ids, many with one command: a {@code MGET} for each slot, and beside it, where
 * several kinds share a pattern, a {@code ZMSCORE} of the kind's index. All of them are one round
 * trip.
 */
final class ManyGets {
    /** So many values leave the server one after the other before anybody else has his turn. */
    private static final int MOST = 250;

    private final Redis redis;
    private final Layout<?> layout;
    private final @Nullable String kind;

    ManyGets(Redis redis, Layout<?> layout) {
        this.redis = redis;
        this.layout = layout;
        this.kind = layout.mapping().kind().orElse(null);
    }

    /** Some ids of one slot, by their numbers, and what was asked about them. */
    private final class Group {
        final Place place;
        final List<Integer> numbers = new ArrayList<>();
        final Frame values = new Frame().add("MGET");
        final Frame kinds = new Frame();
        @Nullable Request value;
        @Nullable Request known;

        Group(Place place) {
            this.place = place;
            if (kind != null) {
                kinds.add("ZMSCORE").add(place.key(kind));
            }
        }

        void add(int number, String id, Place its) {
            numbers.add(number);
            values.add(its.key(layout.mapping().keyOf(id)));
            if (kind != null) {
                kinds.add(text(id));
            }
        }

        void submit() {
            Request first = Request.reading(place.order(), place.slot(), values);
            value = first;
            if (kind == null) {
                redis.submit(first);
            } else {
                Request second = Request.reading(place.order(), place.slot(), kinds);
                known = second;
                redis.submit(first, second);
            }
        }

        void collect(List<byte @Nullable []> all) {
            List<?> found = value == null ? List.of() : Replies.list(value.await());
            List<?> scores = known == null ? List.of() : Replies.list(known.await());
            for (int i = 0; i < numbers.size(); i++) {
                if (kind == null || scores.get(i) != null) {
                    all.set(numbers.get(i), (byte[]) found.get(i));
                }
            }
        }
    }

    /**
     * The values in the order of the ids; null where there is none, or none of this kind, or one
     * that is not a string.
     *
     * @param places where each of the ids lives
     */
    List<byte @Nullable []> get(List<String> ids, List<Place> places) {
        List<Group> groups = new ArrayList<>();
        Map<Integer, Group> open = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            Place place = places.get(i);
            Group group = open.get(place.slot());
            if (group == null || group.numbers.size() == MOST) {
                group = new Group(place);
                groups.add(group);
                open.put(place.slot(), group);
            }
            group.add(i, ids.get(i), place);
        }
        groups.forEach(Group::submit);
        List<byte @Nullable []> all = new ArrayList<>(ids.size());
        ids.forEach(id -> all.add(null));
        groups.forEach(group -> group.collect(all));
        return all;
    }
}
