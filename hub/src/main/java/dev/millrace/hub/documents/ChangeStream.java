package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Stream;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Changes as server-sent events, on the thread of the one who listens. Each event carries the place
 * behind it as its id, so that a browser that comes back goes on where it was. Whoever does not
 * read for half a minute is cut off, and comes back the same way.
 */
final class ChangeStream {
    private static final int MOST = 100;
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);
    private static final long PATIENCE_SECONDS = 30;

    private final Feed feed;
    private final ChangeFilter filter;
    private final Stream stream;
    private final Thread thread = Thread.currentThread();
    private volatile boolean over;

    ChangeStream(Feed feed, ChangeFilter filter, Stream stream) {
        this.feed = feed;
        this.filter = filter;
        this.stream = stream;
    }

    void run(FeedCursor from) {
        stream.begin("text/event-stream", List.of(new Header("Cache-Control", "no-store")));
        // This thread is the one that waits, so its end is all there is to do.
        stream.whileThere(() -> stream.whenStopping(this::leave), this::leave);
        write("event: ready\nid: " + from.text() + "\ndata: {}\n\n");
        FeedCursor cursor = from;
        try {
            while (!over) {
                switch (feed.since(cursor, MOST, SIGN_OF_LIFE)) {
                    case Changes.Reload(String why) -> {
                        write(
                                "event: reload\ndata: %s\n\n"
                                        .formatted(
                                                Document.MAPPER.writeValueAsString(
                                                        ChangesApi.reload(why))));
                        over = true;
                    }
                    case Changes.Facts(List<Fact> facts, FeedCursor next, boolean more) -> {
                        for (Fact fact : facts) {
                            cursor = cursor.behind(fact.shard(), fact.number());
                            FeedCursor behind = cursor;
                            filter.of(fact).ifPresent(change -> event(behind, change));
                        }
                        if (facts.isEmpty()) {
                            write(":\n\n");
                        }
                        cursor = next;
                    }
                }
            }
            stream.end();
        } catch (RedisException e) {
            // The browser comes back with its place, as soon as there is somebody to ask again.
            stream.cut();
        }
    }

    private void leave() {
        over = true;
        thread.interrupt();
    }

    private void event(FeedCursor place, byte[] change) {
        write(
                "event: change\nid: %s\ndata: %s\n\n"
                        .formatted(place.text(), new String(change, StandardCharsets.UTF_8)));
    }

    private void write(String text) {
        if (over) {
            return;
        }
        stream.write(text.getBytes(StandardCharsets.UTF_8));
        if (stream.full()) {
            awaitReader();
        }
    }

    private void awaitReader() {
        CountDownLatch room = new CountDownLatch(1);
        stream.loop()
                .execute(
                        () -> {
                            if (stream.full()) {
                                stream.whenDrained(room::countDown);
                            } else {
                                room.countDown();
                            }
                        });
        try {
            if (!room.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                over = true;
                stream.cut();
            }
        } catch (InterruptedException e) {
            over = true;
        }
    }
}
