package dev.millrace.hub.documents;

import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where in the feed of changes we are, for the header {@code X-Datastore-Seq}. Whoever reads
 * documents and then follows the changes from that place misses nothing, as long as the place is
 * not behind what was read. It may be before it: a change that comes again does no harm. So one
 * place serves all answers of about a second, and no call waits for it. Thread-safe.
 */
final class Positions {
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final Feed feed;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile Seen seen;

    private record Seen(FeedCursor cursor, String text, long at) {}

    Positions(Feed feed) {
        this.feed = feed;
        this.seen = look();
    }

    private Seen look() {
        long now = System.nanoTime();
        FeedCursor cursor = feed.now();
        return new Seen(cursor, cursor.text(), now);
    }

    /**
     * A place that is not behind anything that is read from now on, without waiting: after a long
     * silence it is an old one, once.
     */
    String text() {
        Seen last = seen;
        if (System.nanoTime() - last.at > FRESH_NANOS && looking.compareAndSet(false, true)) {
            Thread.startVirtualThread(this::refresh);
        }
        return last.text;
    }

    /** The same for a caller that may wait a moment: not older than about a second. */
    String fresh() {
        if (System.nanoTime() - seen.at > FRESH_NANOS && looking.compareAndSet(false, true)) {
            refresh();
        }
        return seen.text;
    }

    private void refresh() {
        try {
            seen = look();
        } catch (RedisException e) {
            // The old place is as good, only farther back.
        } finally {
            looking.set(false);
        }
    }

    /** The place of a change of this namespace. */
    String behind(String namespace, long number) {
        return seen.cursor.behind(Shards.shard(namespace), number).text();
    }
}
