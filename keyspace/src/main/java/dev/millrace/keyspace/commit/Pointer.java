package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.redis.Replies;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A shard and since when: {@code 17:1731700000000:9f3a}. The mark at its end tells one pointer from
 * every other, so that whoever replaces or removes one meets just the one that was read.
 *
 * @param shard where it leads; -1 if the text is none of ours
 * @param since the server's time in ms
 * @param text as it lies in Redis
 */
public record Pointer(int shard, long since, String text) {

    public static Pointer to(Place home, long now) {
        String mark = Long.toHexString(ThreadLocalRandom.current().nextLong());
        return new Pointer(home.shard(), now, home.shard() + ":" + now + ":" + mark);
    }

    public static Optional<Pointer> in(@Nullable Object reply) {
        return reply == null ? Optional.empty() : Optional.of(parse(Replies.textOrEmpty(reply)));
    }

    public static Pointer parse(String text) {
        try {
            String[] parts = text.split(":", 3);
            int shard = Integer.parseInt(parts[0]);
            long since = parts.length < 2 ? 0 : Long.parseLong(parts[1]);
            return new Pointer(shard < Shards.COUNT ? shard : -1, since, text);
        } catch (NumberFormatException e) {
            return new Pointer(-1, 0, text);
        }
    }

    public boolean leadsTo(Place place) {
        return shard == place.shard();
    }
}
