package dev.millrace.hub.live;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The listeners of one feed on one event loop. New facts wake the loop once for all of them; it
 * serves some hundred at a time and lets other work pass in between. Except for {@link #wake},
 * everything happens on that loop.
 */
final class Branch {
    private static final int AT_A_TIME = 256;

    private final Tail tail;
    private final Executor loop;
    private final List<FeedFollower> subscriptions = new ArrayList<>();
    private final AtomicBoolean woken = new AtomicBoolean();

    private long chunkFrom = -1;
    private long chunkHead = -1;
    private @Nullable Chunk chunk;

    Branch(Tail tail, Executor loop) {
        this.tail = tail;
        this.loop = loop;
    }

    /** There is something new; from any thread. */
    void wake() {
        if (woken.compareAndSet(false, true)) {
            loop.execute(
                    () -> {
                        woken.set(false);
                        serve(subscriptions.size() - 1);
                    });
        }
    }

    /**
     * From the last to the first: when one leaves meanwhile, the last takes its place, and that one
     * was served already; one that joins looks by itself.
     */
    private void serve(int from) {
        int index = Math.min(from, subscriptions.size() - 1);
        for (int left = AT_A_TIME; left > 0 && index >= 0; left--) {
            subscriptions.get(index).pumpOrEnd();
            index = Math.min(index, subscriptions.size()) - 1;
        }
        if (index >= 0) {
            int rest = index;
            loop.execute(() -> serve(rest));
        } else {
            chunk = null; // a quiet feed holds nothing that the ring has let go
            chunkFrom = -1;
        }
    }

    void add(FeedFollower subscription) {
        subscription.index = subscriptions.size();
        subscriptions.add(subscription);
    }

    void remove(FeedFollower subscription) {
        int index = subscription.index;
        if (index < 0) {
            return;
        }
        subscription.index = -1;
        FeedFollower last = subscriptions.removeLast();
        if (last != subscription) {
            subscriptions.set(index, last);
            last.index = index;
        }
    }

    /** What follows a position, up to a mark; null if that is no longer in the ring. */
    @Nullable Chunk chunk(long position) {
        long head = tail.ring().head();
        if (chunkFrom != position || chunkHead != head) {
            chunk = make(position, head);
            chunkFrom = position;
            chunkHead = head;
        }
        return chunk;
    }

    private @Nullable Chunk make(long position, long head) {
        List<Frame> frames = new ArrayList<>();
        int bytes = 0;
        for (long each = position; each < head; each++) {
            Frame frame = tail.ring().at(each);
            if (frame == null) {
                return null;
            }
            frames.add(frame);
            bytes += frame.bytes();
            Mark mark = frame.mark();
            if (mark != null && (bytes >= Chunk.SIZE || each == head - 1)) {
                return Chunk.of(frames, true, each + 1, mark);
            }
        }
        return null;
    }
}
