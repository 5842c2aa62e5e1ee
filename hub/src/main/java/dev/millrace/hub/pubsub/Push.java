package dev.millrace.hub.pubsub;

import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;
import dev.millrace.hub.pubsub.channels.ClockRing;
import dev.millrace.hub.pubsub.channels.Linked;
import dev.millrace.hub.pubsub.channels.Poll;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.PushLine;
import dev.millrace.hub.pubsub.channels.Wakes;

import java.util.OptionalLong;

/**
 * Sends a subscriber its messages as they come. It reads behind the last one it has sent, while the
 * cursor stays where the client has acknowledged: a client that comes back gets everything behind
 * that again. So that the two do not drift apart without end, no more is sent while too much is not
 * acknowledged. Somebody who only looks cannot acknowledge, so nothing waits for that. Like a
 * {@link Poll} it holds no thread.
 */
final class Push implements Wakes.Waiting {
    private static final int PAGE = 64;

    /** So many may be on their way, not acknowledged. */
    private static final long WINDOW = 1024;

    /** How soon to look whether some of them were. */
    private static final long PAUSE_MILLIS = 500;

    /** Shorter than the shortest life of a subscriber, which each look renews. */
    private static final long BEAT_MILLIS = 10_000;

    private final PubsubStore store;
    private final Wakes wakes;
    private final PubsubService service;
    private final String channel;
    private final String subscriber;
    private final Admitted reader;
    private final PushLine line;
    private final Wakes.Looks looks = new Wakes.Looks();
    private volatile OptionalLong sent = OptionalLong.empty();
    private volatile boolean full;
    private volatile boolean closed;

    Push(
            PubsubStore store,
            Wakes wakes,
            PubsubService service,
            String channel,
            String subscriber,
            Admitted reader,
            PushLine line) {
        this.store = store;
        this.wakes = wakes;
        this.service = service;
        this.channel = channel;
        this.subscriber = subscriber;
        this.reader = reader;
        this.line = line;
    }

    /** Begins behind this place and not at the cursor; to be said before it begins. */
    void behind(OptionalLong place) {
        sent = place;
    }

    void begin() {
        wakes.register(channel, this);
        wakes.later(BEAT_MILLIS, this::beat);
        wake();
    }

    void close() {
        closed = true;
        wakes.forget(channel, this);
    }

    private void beat() {
        if (!closed) {
            line.beat();
            wake();
            wakes.later(BEAT_MILLIS, this::beat);
        }
    }

    @Override
    public void stop() {
        if (!closed) {
            close();
            line.bye();
        }
    }

    @Override
    public boolean over() {
        return closed;
    }

    @Override
    public void wake() {
        if (!closed && looks.begin()) {
            look();
        }
    }

    private void look() {
        Linked.watch(
                store.fetch(channel, subscriber, reader, full ? 1 : PAGE, sent),
                (found, failure) -> {
                    if (closed) {
                        return;
                    }
                    if (failure != null) {
                        // Redis is away, or has too much to do.
                        wakes.later(Wakes.soon(), this::wake);
                        goOn(false);
                    } else if (found.isEmpty()) {
                        close();
                        line.noSubscriber();
                    } else {
                        goOn(sent(found.get()));
                    }
                });
    }

    private void goOn(boolean atOnce) {
        if (looks.again() || (atOnce && looks.begin())) {
            look();
        }
    }

    /** Sends what was found, and says whether to look for more at once. */
    private boolean sent(PubsubStore.Page page) {
        full = reader.acts() && notAcknowledged(page) >= WINDOW;
        if (full) {
            wakes.later(PAUSE_MILLIS, this::wake);
            return false;
        }
        for (PubsubStore.Message message : page.messages()) {
            line.send(message.envelope(), service.handle(channel, subscriber, message.clock()));
        }
        sent = OptionalLong.of(page.reached());
        if (page.more() && line.full()) {
            line.whenDrained(this::wake);
            return false;
        }
        return page.more();
    }

    /** How many were sent behind the cursor; none if it was moved past them by another reader. */
    private long notAcknowledged(PubsubStore.Page page) {
        OptionalLong last = sent;
        return last.isPresent() && ClockRing.within(last.getAsLong(), page.cursor(), page.clock())
                ? ClockRing.distance(page.cursor(), last.getAsLong())
                : 0;
    }
}
