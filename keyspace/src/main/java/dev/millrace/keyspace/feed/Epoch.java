package dev.millrace.keyspace.feed;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import java.util.List;

/**
 * The time between two moments at which a server may have lost writes. Each shard has its own,
 * {@code millrace:epoch}; it changes when the server process behind the shard is another one
 * ({@code Epoch.touch.lua} says how that is noticed in time).
 */
final class Epoch {
    static final String KEY = "millrace:epoch";
    static final Cell CELL =
            Cell.of(KeyType.STRING, KEY)
                    .bookkeeping()
                    .about("Changes when the server may have lost writes.");

    private static final Script TOUCH = Script.emptying(Epoch.class, "touch");

    private Epoch() {}

    /** Makes every new connection look at the epochs of the shards it serves. */
    static void watch(Redis redis, Shards shards) {
        List<Place> places = shards.all();
        redis.atConnect(places.stream().map(place -> TOUCH.evaluation(place.key(KEY))).toList());
        redis.callAll(
                places.stream()
                        .map(
                                place ->
                                        Request.script(
                                                        TOUCH,
                                                        place.order(),
                                                        place.slot(),
                                                        new byte[][] {place.key(KEY)})
                                                .twice())
                        .toList());
    }

    /** One word for the epochs of all shards together. */
    static String of(List<String> epochs) {
        return epochs.size() == 1
                ? Integer.toUnsignedString(epochs.getFirst().hashCode(), Character.MAX_RADIX)
                        + "-"
                        + epochs.getFirst().split("\\|", 2)[0]
                : Long.toUnsignedString(hash(epochs), Character.MAX_RADIX);
    }

    private static long hash(List<String> epochs) {
        long hash = 1125899906842597L;
        for (byte each : text(String.join(",", epochs))) {
            hash = 31 * hash + each;
        }
        return hash;
    }
}
