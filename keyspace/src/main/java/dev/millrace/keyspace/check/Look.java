package dev.millrace.keyspace.check;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A second look at a value and some of its entries in one atomic question: what was read one after
 * the other may only look wrong because somebody wrote in between.
 *
 * @param raw the value, or null if there is none (or none of the layout's type)
 * @param moving whether it is just coming from another shard
 * @param entries for each entry asked for: its score, {@code 1} for a member, the id of a unique
 *     field; null if there is none
 */
record Look(@Nullable Raw raw, boolean moving, List<@Nullable String> entries) {
    private static final Script LOOK = Script.reading(Look.class, "at");

    static Look at(Ground ground, Layout<?> layout, Place place, String id, List<Entry> asked) {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> args = new ArrayList<>();
        keys.add(place.key(layout.mapping().keyOf(id)));
        args.add(text(layout.type() == KeyType.STRING ? "GET" : "HGETALL"));
        keys.add(place.key(Homes.MOVING.key(layout.mapping().keyOf(id))));
        args.add(text("EXISTS"));
        args.add(text(""));
        for (Entry entry : asked) {
            keys.add(place.key(entry.key()));
            switch (entry) {
                case Entry.Sorted(String key, double score, String member) -> {
                    args.add(text("ZSCORE"));
                    args.add(text(member));
                }
                case Entry.Member(String key, String member) -> {
                    args.add(text("SISMEMBER"));
                    args.add(text(member));
                }
                case Entry.Unique(String key, String field, String owner) -> {
                    args.add(text("HGET"));
                    args.add(text(field));
                }
            }
        }
        Request request =
                Request.script(
                        LOOK,
                        place.order(),
                        place.slot(),
                        keys.toArray(byte[][]::new),
                        args.toArray(byte[][]::new));
        List<?> reply = Replies.list(ground.redis().call(request));
        List<@Nullable String> found = new ArrayList<>();
        for (Object each : reply.subList(2, reply.size())) {
            found.add(Replies.text(each));
        }
        return new Look(layout.mapping().raw(reply.get(0)), reply.get(1) != null, found);
    }

    /** Whether entry {@code number} is there as it should be. */
    boolean agrees(int number, Entry entry) {
        return agrees(entries.get(number), entry);
    }

    static boolean agrees(@Nullable String found, Entry entry) {
        return found != null
                && switch (entry) {
                    case Entry.Sorted(String key, double score, String member) ->
                            Double.parseDouble(found) == score;
                    case Entry.Member(String key, String member) -> found.equals("1");
                    case Entry.Unique(String key, String field, String id) -> found.equals(id);
                };
    }
}
