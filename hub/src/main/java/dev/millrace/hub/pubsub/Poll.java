package dev.millrace.hub.pubsub;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One fetch, which may wait for its first message. It holds no thread: it looks, and looks again
 * when its channel wakes, when its time is over, and when a look has failed. A wake-up that comes
 * during a look makes it look once more, so that nothing falls between the two.
 */
final class Poll implements Wakes.Waiting {
    private final PubsubStore store;
    private final Wakes wakes;
    private final String channel;
    private final String subscriber;
    private final ChannelRules rules;
    private final int most;
    private final CompletableFuture<Optional<PubsubStore.Page>> answer = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ScheduledFuture<?> deadline;
    private boolean first = true;
    private boolean looking;
    private boolean again;
    private boolean over;

    private Poll(
            PubsubStore store,
            Wakes wakes,
            String channel,
            String subscriber,
            ChannelRules rules,
            int most) {
        this.store = store;
        this.wakes = wakes;
        this.channel = channel;
        this.subscriber = subscriber;
        this.rules = rules;
        this.most = most;
    }

    /**
     * Begins. The future gives a page without messages when the time is over, and nothing if there
     * is no such subscriber; who cancels it is not interested any more.
     */
    static CompletableFuture<Optional<PubsubStore.Page>> begin(
            PubsubStore store,
            Wakes wakes,
            String channel,
            String subscriber,
            ChannelRules rules,
            int most,
            Duration timeOut) {
        if (timeOut.isNegative() || timeOut.isZero() || wakes.stopping()) {
            return store.fetch(channel, subscriber, rules, most, OptionalLong.empty());
        }
        Poll poll = new Poll(store, wakes, channel, subscriber, rules, most);
        wakes.register(channel, poll);
        poll.answer.whenComplete((page, failure) -> poll.ended());
        poll.deadline = wakes.later(timeOut.toMillis(), poll::stop);
        poll.wake();
        return poll.answer;
    }

    /** Its time is over: one more look, and whatever that gives is the answer. */
    @Override
    public void stop() {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
        wake();
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            if (looking || answer.isDone()) {
                again = true;
                return;
            }
            looking = true;
            again = false;
        } finally {
            lock.unlock();
        }
        look();
    }

    private void look() {
        boolean last;
        lock.lock();
        try {
            last = over;
        } finally {
            lock.unlock();
        }
        CompletableFuture<Optional<PubsubStore.Page>> page;
        try {
            page = store.fetch(channel, subscriber, rules, most, OptionalLong.empty());
        } catch (RuntimeException e) {
            page = CompletableFuture.failedFuture(e);
        }
        page.whenComplete((found, failure) -> looked(last, found, failure));
    }

    private void looked(
            boolean last, @Nullable Optional<PubsubStore.Page> found, @Nullable Throwable failure) {
        if (failure != null && (first || last)) {
            answer.completeExceptionally(failure);
            return;
        }
        if (found != null && (last || found.isEmpty() || !found.get().messages().isEmpty())) {
            answer.complete(found);
            return;
        }
        boolean once;
        lock.lock();
        try {
            first = false;
            once = again;
            again = false;
            looking = once;
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            // Redis is away, or has too much to do; the client need not know while it waits.
            wakes.later(Wakes.soon(), this::wake);
        }
        if (once) {
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
