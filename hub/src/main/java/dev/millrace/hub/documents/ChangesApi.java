package dev.millrace.hub.documents;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.Stream;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What changed since a place in the feed: at once, after a wait, or one event after another without
 * end. Whoever loads documents and follows from the place that came with them ({@code
 * X-Datastore-Seq}) has no gap; a place that is too old is answered with 410, or the event {@code
 * reload}: load again, and follow from there.
 */
final class ChangesApi {
    private static final int MOST = 500;
    private static final int LONGEST_WAIT_SECONDS = 60;

    private final Feed feed;
    private final DocumentsSettings settings;

    ChangesApi(Feed feed, DocumentsSettings settings) {
        this.feed = feed;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/" + settings.name() + "/datastore/changes")
                        .needsInNamespace(Role.VIEWER, Rights.ROOM)
                        .about("What changed since a place; as JSON, or as server-sent events.")
                        .parameter("since", "a place, as X-Datastore-Seq or next said it; now")
                        .parameter("namespace", "only what is in it, or below it")
                        .parameter("wait", "seconds to wait if there is nothing yet, up to 60; 0")
                        .parked()
                        .streamingBy(this::changes));
    }

    private void changes(Request request, Stream stream) {
        ChangeFilter filter = new ChangeFilter(request.query("namespace"), Rights.toRead(request));
        Optional<String> since =
                request.header("Last-Event-ID")
                        .or(() -> request.query("since"))
                        .filter(text -> !text.isEmpty());
        FeedCursor from = since.map(ChangesApi::cursor).orElseGet(feed::now);
        boolean events =
                request.header("Accept")
                        .filter(
                                types ->
                                        types.toLowerCase(Locale.ROOT)
                                                .contains("text/event-stream"))
                        .isPresent();
        if (events) {
            new ChangeStream(feed, filter, stream).run(from);
            return;
        }
        int wait = request.number("wait", 0, 0, LONGEST_WAIT_SECONDS);
        byte[] body = page(from, filter, Duration.ofSeconds(wait));
        stream.begin("application/json", List.of(new Header("Cache-Control", "no-store")));
        stream.write(body);
        stream.end();
    }

    private static FeedCursor cursor(String text) {
        try {
            return FeedCursor.parse(text);
        } catch (IllegalArgumentException e) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "since is not a position of this feed; take X-Datastore-Seq of an answer, or"
                            + " next.");
        }
    }

    private byte[] page(FeedCursor from, ChangeFilter filter, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        FeedCursor cursor = from;
        while (true) {
            long left = Math.max(0, deadline - System.nanoTime());
            switch (feed.since(cursor, MOST, Duration.ofNanos(left))) {
                case Changes.Reload(String why) -> throw Problem.of(Code.GONE, reload(why));
                case Changes.Facts(List<Fact> facts, FeedCursor next, boolean more) -> {
                    ByteArrayOutputStream changes = new ByteArrayOutputStream(1024);
                    for (Fact fact : facts) {
                        filter.of(fact)
                                .ifPresent(
                                        change -> {
                                            if (changes.size() > 0) {
                                                changes.write(',');
                                            }
                                            changes.writeBytes(change);
                                        });
                    }
                    cursor = next;
                    if (changes.size() > 0 || more || System.nanoTime() >= deadline) {
                        return page(changes, next, more);
                    }
                }
            }
        }
    }

    private static byte[] page(ByteArrayOutputStream changes, FeedCursor next, boolean more) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(changes.size() + 256);
        body.writeBytes("{\"changes\":[".getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(changes.toByteArray());
        body.writeBytes(
                "],\"next\":\"%s\",\"more\":%s}"
                        .formatted(next.text(), more)
                        .getBytes(StandardCharsets.US_ASCII));
        return body.toByteArray();
    }

    static String reload(String why) {
        return why + " Load the documents again, and follow from the place that comes with them.";
    }
}
