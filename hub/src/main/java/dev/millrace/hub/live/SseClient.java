package dev.millrace.hub.live;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Stream;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client of server-sent events. The id of an event is the marks of all its feeds: a browser gives
 * back only the last one it saw.
 */
final class SseClient extends Client {
    private static final List<Header> HEADERS =
            List.of(
                    new Header("Cache-Control", "no-store"),
                    // Proxies that collect answers before they pass them on are asked not to.
                    new Header("X-Accel-Buffering", "no"));
    private static final byte[] SIGN_OF_LIFE = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    /** After a restart not everybody shall come back in the same moment. */
    private static final int RETRY_MILLIS = 2000;

    private static final int JITTER_MILLIS = 2000;

    private final Stream stream;
    private final Pass pass;

    SseClient(Crowd crowd, Stream stream, Pass pass) {
        super(crowd);
        this.stream = stream;
        this.pass = pass;
    }

    void begin() {
        stream.begin("text/event-stream", HEADERS);
        int retry = RETRY_MILLIS + ThreadLocalRandom.current().nextInt(JITTER_MILLIS);
        stream.write(ascii("retry: " + retry + "\n\n"));
    }

    @Override
    Pass pass() {
        return pass;
    }

    @Override
    boolean queueFull() {
        return stream.full();
    }

    @Override
    void whenDrained(Runnable action) {
        stream.whenDrained(action);
    }

    @Override
    void write(FeedFollower from, Chunk chunk) {
        if (subscriptions().size() == 1) {
            stream.write(chunk.events());
            return;
        }
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        boolean passed = false;
        for (FeedFollower each : subscriptions()) {
            String other = each.mark().text();
            if (each == from) {
                passed = true;
            } else if (passed && !other.isEmpty()) {
                after.append(',').append(other);
            } else if (!other.isEmpty()) {
                before.append(other).append(',');
            }
        }
        stream.write(chunk.events(before.toString(), after.toString()));
    }

    @Override
    void writeReady() {
        List<String> names = subscriptions().stream().map(each -> each.feed().name()).toList();
        event("ready", Map.of("feeds", names));
    }

    @Override
    void writeSignOfLife() {
        stream.write(SIGN_OF_LIFE);
    }

    @Override
    void writeEnd(Ending ending) {
        event("bye", Map.of("why", ending.sentence()));
        stream.end();
    }

    @Override
    void cut() {
        stream.cut();
    }

    private void event(String name, Map<String, ?> data) {
        String json = Json.MAPPER.writeValueAsString(data);
        stream.write(
                "event: %s\ndata: %s\nid: %s\n\n"
                        .formatted(name, json, marks())
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
