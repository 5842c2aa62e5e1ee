package dev.millrace.hub.live;

import dev.millrace.keyspace.feed.FeedCursor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One client's way through one feed. It is always at a place that has a name (its {@link Mark}),
 * and in one of three situations:
 *
 * <ul>
 *   <li><i>beginning</i>: a snapshot is being taken, or just the present place;
 *   <li><i>behind</i>: what follows its place is not in the ring, and is read from Redis, page by
 *       page, whenever the client has taken the page before;
 *   <li><i>live</i>: it has a position in the ring.
 * </ul>
 *
 * <p>From behind to live nothing is lost or doubled: the ring is entered only when it has
 * everything after the client's place ({@link RecentFrames#enter}), and what the client has
 * already, though it comes later in the ring, is left out until the ring is past all of it. Whoever
 * falls off the ring is behind again. On the client's event loop only.
 */
final class FeedFollower {
    private static final Logger log = LoggerFactory.getLogger(FeedFollower.class);

    private enum State {
        BEGINNING,
        BEHIND,
        LIVE,
        OVER
    }

    /** In its branch; -1 when it is not there. */
    int index = -1;

    private final Client client;
    private final Tail tail;
    private final Branch branch;
    private final boolean brought;

    private State state = State.BEGINNING;
    private long position;
    private Mark mark;
    private @Nullable FeedCursor seen;
    private boolean asking;
    private boolean ready;

    /** Whether the client has kept us waiting since it was last at the head. */
    private boolean held;

    /**
     * It is at its place at once, and begins to move with {@link #start}: ids of other feeds of the
     * same client name this place too.
     *
     * @param after the cursor that the client has brought
     */
    FeedFollower(Client client, Tail tail, Optional<String> after) {
        this.client = client;
        this.tail = tail;
        this.branch = tail.branch(client.loop());
        this.mark = after.map(this::read).orElseGet(Mark::nowhere);
        this.brought = after.isPresent();
    }

    private Mark read(String cursor) {
        try {
            return Mark.of(tail.feed().name(), FeedCursor.parse(cursor));
        } catch (IllegalArgumentException e) {
            return Mark.unreadable(tail.feed().name());
        }
    }

    LiveFeed feed() {
        return tail.feed();
    }

    Mark mark() {
        return mark;
    }

    /** Whether the client has once been given everything there was. */
    boolean ready() {
        return ready;
    }

    // ------------------------------------------------------------------ beginning

    void start() {
        branch.add(this);
        if (!brought) {
            askBeginning(Optional.empty());
        } else if (mark.cursor().numbers().isEmpty()) {
            askBeginning(Optional.of("The cursor cannot be read; begin anew."));
        } else {
            goOn();
            pump();
        }
    }

    void end() {
        if (state != State.OVER) {
            state = State.OVER;
            branch.remove(this);
            tail.leave();
        }
    }

    private void askBeginning(Optional<String> reload) {
        state = State.BEGINNING;
        ask(
                () -> {
                    Tail.Beginning beginning = tail.beginning();
                    return () -> begun(beginning, reload);
                });
    }

    private void begun(Tail.Beginning beginning, Optional<String> reload) {
        mark = beginning.from().mark();
        position = beginning.from().position();
        seen = null;
        state = State.LIVE;
        reload.ifPresent(
                why -> {
                    client.metrics().reloaded();
                    send(Chunk.of(Frame.reload(feed().name(), why, mark), mark));
                });
        beginning
                .state()
                .ifPresent(json -> send(Chunk.of(Frame.snapshot(feed().name(), json, mark), mark)));
    }

    // ------------------------------------------------------------------ going on

    /** Into the ring if it has everything that follows; else behind. */
    private void goOn() {
        Optional<RecentFrames.Entry> entry = tail.ring().enter(mark.cursor());
        state = entry.isPresent() ? State.LIVE : State.BEHIND;
        entry.ifPresent(
                in -> {
                    position = in.position();
                    seen = in.seen();
                });
    }

    /** The same for a loop over many, which must come to its end whatever one of them does. */
    void pumpOrEnd() {
        client.attempt(this::pump);
    }

    /** Sends what there is, as long as the client takes it. */
    void pump() {
        while (!asking && state != State.OVER) {
            if (state == State.LIVE && position == tail.ring().head()) {
                held = false;
                if (!ready) {
                    ready = true;
                    client.caughtUp();
                }
                return;
            }
            if (client.full()) {
                held = true;
                client.waitForDrain();
                return;
            }
            switch (state) {
                case LIVE -> advance();
                case BEHIND -> askMissed();
                case BEGINNING -> askBeginning(Optional.empty());
                case OVER -> {}
            }
        }
    }

    private void advance() {
        boolean latestOnly = held && feed().key().isPresent();
        Chunk next = seen == null && !latestOnly ? branch.chunk(position) : own(latestOnly);
        if (next == null) {
            // It fell off. Where only the latest matters, the present state says it sooner.
            if (feed().key().isPresent() && feed().snapshot().isPresent()) {
                askBeginning(Optional.empty());
            } else {
                state = State.BEHIND;
            }
            return;
        }
        position = next.end();
        mark = next.mark();
        if (seen != null && covers(next.mark().cursor(), seen)) {
            seen = null;
        }
        send(next);
    }

    /** What follows, without what this client has already or what newer facts have overtaken. */
    private @Nullable Chunk own(boolean latestOnly) {
        RecentFrames ring = tail.ring();
        long head = ring.head();
        Map<String, Long> latest = latestOnly ? latest(head) : Map.of();
        List<Frame> frames = new ArrayList<>();
        int bytes = 0;
        for (long each = position; each < head; each++) {
            Frame frame = ring.at(each);
            if (frame == null) {
                return null;
            }
            String key = frame.key();
            boolean overtaken = latestOnly && key != null && latest.getOrDefault(key, each) > each;
            if (!overtaken && !has(frame)) {
                frames.add(frame);
                bytes += frame.bytes();
            }
            Mark behind = frame.mark();
            if (behind != null && (bytes >= Chunk.SIZE || each == head - 1)) {
                Mark reached = seen == null ? behind : farther(behind.cursor(), seen);
                return Chunk.of(frames, seen == null, each + 1, reached);
            }
        }
        return null;
    }

    private Map<String, Long> latest(long head) {
        Map<String, Long> latest = new HashMap<>();
        for (long each = position; each < head; each++) {
            Frame frame = tail.ring().at(each);
            String key = frame == null ? null : frame.key();
            if (key != null) {
                latest.put(key, each);
            }
        }
        return latest;
    }

    private boolean has(Frame frame) {
        FeedCursor known = seen;
        // Whoever brings a cursor of this epoch has reloaded since it began.
        return known != null
                && (!frame.isFact() || frame.number() <= known.numbers().get(frame.shard()));
    }

    private static boolean covers(FeedCursor reached, FeedCursor seen) {
        for (int i = 0; i < seen.numbers().size(); i++) {
            if (reached.numbers().get(i) < seen.numbers().get(i)) {
                return false;
            }
        }
        return true;
    }

    private Mark farther(FeedCursor one, FeedCursor other) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < one.numbers().size(); i++) {
            numbers.add(Math.max(one.numbers().get(i), other.numbers().get(i)));
        }
        return Mark.of(feed().name(), new FeedCursor(one.epoch(), numbers));
    }

    private void send(Chunk chunk) {
        if (!chunk.frames().isEmpty()) {
            client.send(this, chunk);
            client.metrics().sent(chunk.frames().size());
        }
    }

    // ------------------------------------------------------------------ asking Redis

    /** Something to be asked for on a thread that may block; gives what is then done here. */
    private interface Question {
        Runnable answer() throws InterruptedException;
    }

    private void askMissed() {
        FeedCursor from = mark.cursor();
        ask(
                () -> {
                    Tail.Missed missed = tail.missed(from);
                    return () -> got(missed);
                });
    }

    private void got(Tail.Missed missed) {
        switch (missed) {
            case Tail.Missed.Frames(List<Frame> frames, Mark reached) -> {
                mark = reached;
                send(Chunk.of(frames, true, 0, reached));
                goOn();
            }
            case Tail.Missed.Lost(String why) -> askBeginning(Optional.of(why));
        }
    }

    private void ask(Question question) {
        asking = true;
        Thread.ofVirtual()
                .name("live-ask")
                .start(
                        () -> {
                            Runnable answer = answer(question);
                            client.loop().execute(() -> answered(answer));
                        });
    }

    private static @Nullable Runnable answer(Question question) {
        try {
            return question.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.debug("A live client waits. reason={}", e.toString());
        }
        return null;
    }

    private void answered(@Nullable Runnable answer) {
        asking = false;
        if (answer != null && state != State.OVER) {
            client.attempt(
                    () -> {
                        answer.run();
                        pump();
                    });
        }
        // Otherwise Redis is away; the next tick of the client asks again.
    }
}
