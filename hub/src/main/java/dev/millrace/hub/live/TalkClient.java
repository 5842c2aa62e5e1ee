package dev.millrace.hub.live;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Talk;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A client on a WebSocket. Each message of a feed brings the cursor of that feed, and {@code ready}
 * and {@code bye} those of all; the client keeps the latest of each.
 */
final class TalkClient extends Client {
    private final Talk talk;
    private Pass pass;

    TalkClient(Crowd crowd, Talk talk, Pass pass) {
        super(crowd);
        this.talk = talk;
        this.pass = pass;
    }

    @Override
    Pass pass() {
        return pass;
    }

    /** The client has said who it is. */
    void present(Pass other) {
        pass = other;
    }

    @Override
    boolean queueFull() {
        return talk.full();
    }

    @Override
    void whenDrained(Runnable action) {
        talk.whenDrained(action);
    }

    @Override
    void write(FeedFollower from, Chunk chunk) {
        for (int i = 0; i < chunk.frames().size(); i++) {
            Frame frame = chunk.frames().get(i);
            Mark mark = chunk.mark(i);
            talk.say(Objects.equals(frame.mark(), mark) ? frame.said() : frame.said(mark));
        }
    }

    @Override
    void writeReady() {
        List<String> names = subscriptions().stream().map(each -> each.feed().name()).toList();
        talk.say(message("ready", Map.of("feeds", names)));
    }

    @Override
    void writeSignOfLife() {
        talk.ping();
    }

    @Override
    void writeEnd(Ending ending) {
        talk.say(message("bye", Map.of("why", ending.sentence())));
        talk.close(
                switch (ending) {
                    case STOPPING -> Talk.Why.STOPPING;
                    case NOT_ALLOWED -> Talk.Why.NOT_UNDERSTOOD;
                },
                ending.sentence());
    }

    /** Tells a mistake and closes. */
    void refuse(String sentence) {
        if (!over()) {
            talk.say(message("error", Map.of("why", sentence)));
            talk.close(Talk.Why.NOT_UNDERSTOOD, sentence);
            closed();
        }
    }

    @Override
    void cut() {
        talk.close(Talk.Why.TRY_LATER, "Nothing was read for too long.");
    }

    private String message(String event, Map<String, ?> data) {
        return Json.MAPPER.writeValueAsString(
                Map.of("event", event, "data", data, "cursor", marks()));
    }
}
