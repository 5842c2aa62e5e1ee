package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;

/**
 * One fetch, which may wait for its first message. It holds no thread: it looks, and looks again
 * when its channel wakes, when its time is over, and when a look has failed. A wake-up that comes
 * during a look makes it look once more, so that nothing falls between the two.
 */
public final class Poll implements Wakes.Waiting {
    private final PubsubStore store;
    private final Wakes wakes;
    private final String channel;
    private final String subscriber;
    private final Admitted reader;
    private final int most;
    private final CompletableFuture<Optional<PubsubStore.Page>> answer = new CompletableFuture<>();
    private final Wakes.Looks looks = new Wakes.Looks();
    private volatile @Nullable ScheduledFuture<?> deadline;
    private volatile boolean first = true;
    private volatile boolean late;

    private Poll(
            PubsubStore store,
            Wakes wakes,
            String channel,
            String subscriber,
            Admitted reader,
            int most) {
        this.store = store;
        this.wakes = wakes;
        this.channel = channel;
        this.subscriber = subscriber;
        this.reader = reader;
        this.most = most;
    }

    /**
     * Begins. The future gives a page without messages when the time is over, and nothing if there
     * is no such subscriber; who cancels it is not interested any more.
     */
    public static CompletableFuture<Optional<PubsubStore.Page>> begin(
            PubsubStore store,
            Wakes wakes,
            String channel,
            String subscriber,
            Admitted reader,
            int most,
            Duration timeOut) {
        if (timeOut.isNegative() || timeOut.isZero() || wakes.stopping()) {
            return store.fetch(channel, subscriber, reader, most, OptionalLong.empty());
        }
        Poll poll = new Poll(store, wakes, channel, subscriber, reader, most);
        wakes.register(channel, poll);
        Linked.watch(poll.answer, (page, failure) -> poll.ended());
        ScheduledFuture<?> deadline = wakes.alarm(timeOut.toMillis(), poll::stop);
        poll.deadline = deadline;
        if (poll.over()) {
            // Its end came first and could not cancel what was not there.
            deadline.cancel(false);
        }
        poll.wake();
        return poll.answer;
    }

    /** Its time is over: one more look, and whatever that gives is the answer. */
    @Override
    public void stop() {
        late = true;
        wake();
    }

    @Override
    public boolean over() {
        return answer.isDone();
    }

    @Override
    public void wake() {
        if (looks.begin()) {
            look();
        }
    }

    private void look() {
        boolean last = late;
        Linked.watch(
                store.fetch(channel, subscriber, reader, most, OptionalLong.empty()),
                (found, failure) -> {
                    if (failure == null) {
                        looked(last, found);
                    } else {
                        failed(last, failure);
                    }
                });
    }

    private void looked(boolean last, Optional<PubsubStore.Page> found) {
        if (last || found.isEmpty() || !found.get().messages().isEmpty()) {
            answer.complete(found);
        } else {
            goOn();
        }
    }

    private void failed(boolean last, Throwable failure) {
        if (last || first) {
            answer.completeExceptionally(failure);
        } else {
            // Redis is away, or has too much to do; the client need not know while it waits.
            wakes.later(Wakes.soon(), this::wake);
            goOn();
        }
    }

    private void goOn() {
        first = false;
        if (!answer.isDone() && looks.again()) {
            look();
        }
    }

    private void ended() {
        wakes.forget(channel, this);
        ScheduledFuture<?> timer = deadline;
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
