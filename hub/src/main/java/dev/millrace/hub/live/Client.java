package dev.millrace.hub.live;

import dev.millrace.hub.work.Seldom;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * One connection that listens. Everything happens on its event loop. What it does not take stays in
 * the ring of its feed; here is only what it listens to and since when it has taken nothing.
 */
abstract sealed class Client permits SseClient, TalkClient {
    private static final Logger log = LoggerFactory.getLogger(Client.class);
    private static final Seldom FAILURES = new Seldom();
    private static final long NEVER = -1;

    private final Crowd crowd;
    private final List<FeedFollower> subscriptions = new ArrayList<>(1);
    private long fullSince = NEVER;
    private long lastSent = System.nanoTime();
    private boolean over;

    /** In its crowd; -1 when it is not there. */
    int index = -1;

    Client(Crowd crowd) {
        this.crowd = crowd;
    }

    final Executor loop() {
        return crowd.loop();
    }

    final LiveMetrics metrics() {
        return crowd.metrics();
    }

    final List<FeedFollower> subscriptions() {
        return subscriptions;
    }

    /** Where it stands in all its feeds, as it brings it back. */
    final String marks() {
        return subscriptions.stream()
                .map(each -> each.mark().text())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(","));
    }

    final boolean over() {
        return over;
    }

    // ------------------------------------------------------------------ how it is spoken to

    /** With what it came in. */
    abstract Pass pass();

    abstract boolean queueFull();

    abstract void whenDrained(Runnable action);

    abstract void write(FeedFollower from, Chunk chunk);

    abstract void writeReady();

    abstract void writeSignOfLife();

    /** Says good-bye and closes. */
    abstract void writeEnd(Ending ending);

    /** Breaks the connection. */
    abstract void cut();

    /** Why a connection ends that the client would have kept. */
    enum Ending {
        STOPPING("The hub is stopping; come again."),
        NOT_ALLOWED("The token was revoked or has expired, or may no longer listen to this.");

        private final String sentence;

        Ending(String sentence) {
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }

    // ------------------------------------------------------------------ what it gets

    final void send(FeedFollower from, Chunk chunk) {
        write(from, chunk);
        lastSent = System.nanoTime();
    }

    /** Whether it must be waited for. */
    final boolean full() {
        return over || fullSince != NEVER || queueFull();
    }

    /** It did not take everything; when it has, everybody who waits goes on. */
    final void waitForDrain() {
        if (fullSince == NEVER && !over) {
            fullSince = System.nanoTime();
            whenDrained(this::drained);
        }
    }

    private void drained() {
        fullSince = NEVER;
        attempt(this::pumpAll);
    }

    private void pumpAll() {
        for (FeedFollower each : List.copyOf(subscriptions)) {
            each.pump();
        }
    }

    final void caughtUp() {
        if (subscriptions.stream().allMatch(FeedFollower::ready)) {
            writeReady();
        }
    }

    // ------------------------------------------------------------------ its end

    /** Once a second. */
    final void tick(long now, long heartbeatNanos, long slowNanos, boolean lookAtPass) {
        if (fullSince != NEVER && now - fullSince > slowNanos) {
            metrics().cut();
            cut();
            closed();
        } else if (lookAtPass
                && !subscriptions.stream().allMatch(s -> pass().stillOpens(s.feed().door()))) {
            end(Ending.NOT_ALLOWED);
        } else {
            pumpAll();
            if (now - lastSent > heartbeatNanos && !full()) {
                writeSignOfLife();
                lastSent = now;
            }
        }
    }

    final void end(Ending ending) {
        if (!over) {
            attempt(
                    () -> {
                        writeEnd(ending);
                        closed();
                    });
        }
    }

    /**
     * Does something for this client. What goes wrong ends this one: all clients of a loop have one
     * thread, and none of them may keep it from the others.
     */
    final void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            FAILURES.say(
                    before ->
                            log.error(
                                    "A live client failed and is cut off. peer={} before={}",
                                    pass().peer().getHostAddress(),
                                    before,
                                    e));
            try {
                cut();
            } catch (RuntimeException again) {
                log.debug("A live client cannot be cut off. reason={}", again.toString());
            }
            closed();
        }
    }

    /** The connection is no more. */
    final void closed() {
        if (!over) {
            over = true;
            crowd.remove(this);
            metrics().left();
            for (FeedFollower each : List.copyOf(subscriptions)) {
                each.end();
            }
            subscriptions.clear();
        }
    }
}
