package dev.millrace.hub.http;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long a connection is there, for the one who uses it. The client may leave at any moment: long
 * before its handler has come to begin, in the middle of that, or never. Whoever registers
 * somewhere when it begins and takes that back when it ends would stay registered for ever if the
 * end came first. So beginning and end are said together, and this decides their order: the end is
 * told exactly once, after the beginning and never during it; and nothing begins that is over.
 *
 * <p>Thread-safe.
 */
final class Lifetime {
    private enum State {
        /** Nobody uses it yet. */
        NEW,
        BEGINNING,
        BEGUN,
        OVER
    }

    /** Instead of an action: the hub stops, so whoever comes now is told at once. */
    private static final Runnable STOPPED = Lifetime::nothing;

    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private final AtomicBoolean used = new AtomicBoolean();
    private final AtomicReference<Runnable> stopping;
    private volatile @Nullable Runnable end;

    private static void nothing() {}

    /**
     * Nobody uses it yet.
     *
     * @param unlessSaid what happens when the hub stops, if nobody says so
     */
    Lifetime(Runnable unlessSaid) {
        this.stopping = new AtomicReference<>(unlessSaid);
    }

    /**
     * Begins now, unless it is over, and ends once when it is.
     *
     * @throws RuntimeException of the beginning; the end follows all the same
     */
    void use(Runnable begin, Runnable andEnd) {
        if (!used.compareAndSet(false, true)) {
            throw new IllegalStateException("A connection is used by one.");
        }
        end = andEnd;
        if (!state.compareAndSet(State.NEW, State.BEGINNING)) {
            andEnd.run();
            return;
        }
        try {
            begin.run();
        } finally {
            if (!state.compareAndSet(State.BEGINNING, State.BEGUN)) {
                // It ended meanwhile, and that was left to us.
                andEnd.run();
            }
        }
    }

    /** The connection is no more; said often it counts once. */
    void over() {
        State before = state.getAndSet(State.OVER);
        Runnable action = end;
        if (before == State.BEGUN && action != null) {
            action.run();
        }
    }

    boolean isOver() {
        return state.get() == State.OVER;
    }

    /** What to do when the hub stops; done at once if it does already. */
    void whenStopping(Runnable action) {
        Runnable before = stopping.getAndUpdate(known -> known.equals(STOPPED) ? STOPPED : action);
        if (before.equals(STOPPED)) {
            action.run();
        }
    }

    void stop() {
        stopping.getAndSet(STOPPED).run();
    }
}
