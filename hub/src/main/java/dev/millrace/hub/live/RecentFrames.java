package dev.millrace.hub.live;

import dev.millrace.keyspace.feed.FeedCursor;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The recent frames of one feed, in the order in which they are sent, numbered without gaps. All
 * clients read from it; one that is slow costs a number, not a buffer. One thread adds. What is
 * added together becomes visible together, so that the head is always at a mark. Bounded by count
 * and by bytes; the oldest give way, and whoever was not there yet finds nothing and knows that it
 * fell off.
 */
final class RecentFrames {
    /**
     * A client's way in.
     *
     * @param position the first frame to look at
     * @param seen what it has already, to be left out; null if that is all before the position
     */
    record Entry(long position, @Nullable FeedCursor seen) {}

    /** The head and its mark. */
    record Here(long position, Mark mark) {}

    private record Slot(long sequence, Frame frame) {}

    private final AtomicReferenceArray<@Nullable Slot> slots;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long head;

    // Guarded by the lock: the oldest frame, the size of all, what came before, what is behind.
    private long oldest;
    private long bytes;
    private long[] before = {};
    private Mark end = Mark.nowhere();

    RecentFrames(int capacity, long maxBytes) {
        this.slots = new AtomicReferenceArray<>(capacity);
        this.maxBytes = maxBytes;
    }

    long head() {
        return head;
    }

    /** The frame of this number; null if it had to give way. */
    @Nullable Frame at(long sequence) {
        Slot slot = slots.get((int) (sequence % slots.length()));
        return slot != null && slot.sequence == sequence ? slot.frame : null;
    }

    Here here() {
        lock.lock();
        try {
            return new Here(head, end);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all frames; the next one follows this place. */
    void reset(Mark place) {
        lock.lock();
        try {
            while (oldest < head) {
                dropOldest();
            }
            bytes = 0;
            before = numbers(place.cursor());
            end = place;
        } finally {
            lock.unlock();
        }
    }

    /** Adds frames, of which the last has a mark. */
    void add(List<Frame> frames) {
        lock.lock();
        try {
            long next = head;
            for (Frame frame : frames) {
                while (next - oldest >= slots.length() || (bytes > maxBytes && oldest < next)) {
                    dropOldest();
                }
                slots.set((int) (next % slots.length()), new Slot(next, frame));
                bytes += frame.bytes();
                next++;
            }
            Mark last = frames.getLast().mark();
            if (last == null) {
                throw new IllegalArgumentException("The last frame needs a mark.");
            }
            end = last;
            head = next;
        } finally {
            lock.unlock();
        }
    }

    private void dropOldest() {
        int index = (int) (oldest % slots.length());
        Slot slot = slots.get(index);
        if (slot != null) {
            bytes -= slot.frame.bytes();
            if (slot.frame.isFact()) {
                before[slot.frame.shard()] = slot.frame.number();
            }
            slots.set(index, null);
        }
        oldest++;
    }

    /**
     * Where somebody goes on who has seen everything up to this cursor; empty if something behind
     * it is no longer here, or never was.
     */
    Optional<Entry> enter(FeedCursor cursor) {
        lock.lock();
        try {
            long[] seen = numbers(cursor);
            FeedCursor last = end.cursor();
            if (!last.epoch().equals(cursor.epoch()) || seen.length != before.length) {
                return Optional.empty();
            }
            for (int i = 0; i < seen.length; i++) {
                if (before[i] > seen[i]) {
                    return Optional.empty();
                }
            }
            if (cursor.equals(last)) {
                return Optional.of(new Entry(head, null));
            }
            long position = oldest;
            for (long each = oldest; each < head; each++) {
                Frame frame = at(each);
                if (frame == null || (frame.isFact() && frame.number() > seen[frame.shard()])) {
                    break;
                }
                Mark mark = frame.mark();
                if (mark != null) {
                    position = each + 1;
                    if (mark.cursor().equals(cursor)) {
                        return Optional.of(new Entry(position, null));
                    }
                }
            }
            // Between two marks, or ahead of what was read here: it says itself what it has seen.
            return Optional.of(new Entry(position, cursor));
        } finally {
            lock.unlock();
        }
    }

    private static long[] numbers(FeedCursor cursor) {
        return cursor.numbers().stream().mapToLong(Long::longValue).toArray();
    }
}
