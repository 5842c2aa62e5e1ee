package dev.millrace.hub.live;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client of live feeds, whichever way it is connected. */
abstract class Listener implements AutoCloseable {
    /** Far away: only a hang reaches it. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    protected final List<Heard> heard = new CopyOnWriteArrayList<>();
    protected volatile boolean ended;

    /** Where to go on, as the server understands it. */
    abstract String after();

    @Override
    public abstract void close();

    List<Heard> heard() {
        return List.copyOf(heard);
    }

    /** The data of the facts of a feed, in order. */
    List<String> facts(String feed) {
        return heard.stream()
                .filter(each -> each.event().equals("fact") && each.feed().equals(feed))
                .map(Heard::data)
                .toList();
    }

    boolean has(String event) {
        return heard.stream().anyMatch(each -> each.event().equals(event));
    }

    Listener awaitFacts(String feed, int count) {
        await().atMost(PATIENCE).until(() -> facts(feed).size() >= count);
        return this;
    }

    Listener awaitEvent(String event) {
        await().atMost(PATIENCE).until(() -> has(event));
        return this;
    }

    Listener awaitEnd() {
        await().atMost(PATIENCE).until(() -> ended);
        return this;
    }
}
