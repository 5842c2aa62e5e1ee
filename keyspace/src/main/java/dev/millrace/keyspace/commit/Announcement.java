package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.layout.Cell;

/**
 * A message to whoever listens just now ({@code SUBSCRIBE}), published when all else of a commit is
 * written. Nothing keeps it, and if the user of this program may not publish there, the commit is
 * done all the same: whoever must not miss anything reads what the commit has written.
 */
public final class Announcement {
    private Announcement() {}

    /**
     * For {@link Commit#with}.
     *
     * @param about a key that the commit writes
     * @param channel of Redis, which is no key
     */
    public static Addition of(Cell.Key about, String channel, String message) {
        return basket ->
                basket.addInShard(Operation.ANNOUNCE, about.key(), text(channel), text(message));
    }
}
