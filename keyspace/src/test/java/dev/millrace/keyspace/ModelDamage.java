package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Random;

/**
 * Plants damage between writers: takes entries away, gives them wrong scores, adds stale ones and
 * orphans. It spares what a writer needs to know its own outcomes (kind indexes, unique fields and
 * the index that writers compare while they write), except for ids that nobody has.
 */
final class ModelDamage {
    private static final List<String> SORTED =
            List.of(
                    "event:created",
                    "event:pushed",
                    "reading:created",
                    "reading:name:flow",
                    "notices",
                    "notice-sender:ada",
                    "tanks");
    private static final List<String> SETS =
            List.of("notice-label:a", "notice-label:b", "idx:alarm:active", "point-index:w00");

    private final Keyspace keyspace;
    private final Random random;

    ModelDamage(Keyspace keyspace, long seed) {
        this.keyspace = keyspace;
        this.random = new Random(seed);
    }

    void plant() {
        List<Place> places = keyspace.ground().shards().all();
        Place place = places.get(random.nextInt(places.size()));
        String sorted = SORTED.get(random.nextInt(SORTED.size()));
        String set = SETS.get(random.nextInt(SETS.size()));
        String member = text(call(place, "ZRANDMEMBER", sorted));
        String inSet = text(call(place, "SRANDMEMBER", set));
        switch (random.nextInt(8)) {
            case 0, 1 -> damage(place, member, "ZREM", sorted, member);
            case 2 -> damage(place, member, "ZADD", sorted, "4711.5", member);
            case 3 -> damage(place, member, "ZADD", "event:pushed", "3", member);
            case 4 -> damage(place, inSet, "SREM", set, inSet);
            case 5 -> damage(place, inSet, "SADD", "notice-label:d", inSet);
            case 6 -> call(place, "ZADD", "event", "0", Shards.mint("nobody"));
            default -> {
                String slug = "nobody" + random.nextInt(100);
                call(place, "HSET", "notice-slug", slug, Shards.mint(slug));
            }
        }
    }

    private void damage(Place place, String member, String command, String key, String... more) {
        if (!member.isEmpty()) {
            call(place, command, key, more);
        }
    }

    private @Nullable Object call(Place place, String command, String key, String... more) {
        byte[][] words = new byte[2 + more.length][];
        words[0] = command.getBytes(UTF_8);
        words[1] = place.key(key);
        for (int i = 0; i < more.length; i++) {
            words[2 + i] = more[i].getBytes(UTF_8);
        }
        return keyspace.redis().call(Request.writing(place.order(), place.slot(), words));
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
    }
}
