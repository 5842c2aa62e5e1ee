package dev.millrace.hub.pubsub.channels;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One look at a time, and none too few: a wake-up that comes during a look makes another one
 * follow, because the look may have been too early for it. Thread-safe.
 */
public final class Looks {
    private static final int NONE = 0;
    private static final int ONE = 1;
    private static final int ONE_MORE = 2;

    private final AtomicInteger wanted = new AtomicInteger();

    /** A look is wanted; true if whoever asks is to begin it now. */
    public boolean begin() {
        return wanted.getAndUpdate(before -> before == NONE ? ONE : ONE_MORE) == NONE;
    }

    /** A look has ended; true if another one is to follow at once. */
    public boolean again() {
        return wanted.getAndUpdate(before -> before == ONE_MORE ? ONE : NONE) == ONE_MORE;
    }
}
