package dev.millrace.hub.rehearsal;

/** How far a rehearsal is, and whether it is still wanted. Thread-safe. */
public final class Course {
    /** So many steps take a fraction of a millisecond. */
    private static final int BETWEEN_PAUSES = 128;

    private final long from;
    private final long to;
    private int steps;
    private volatile long reached;
    private volatile boolean cancelled;

    /**
     * The course of a rehearsal.
     *
     * @param to after it
     */
    public Course(long from, long to) {
        this.from = from;
        this.to = to;
        this.reached = from;
    }

    /** It has come so far; says whether it goes on. Of the thread that rehearses alone. */
    @SuppressWarnings("ThreadPriorityCheck") // A virtual thread that only calculates makes no way.
    public boolean reaches(long at) {
        reached = at;
        if (++steps % BETWEEN_PAUSES == 0) {
            Thread.yield();
        }
        return !cancelled;
    }

    public boolean goesOn() {
        return !cancelled;
    }

    void cancel() {
        cancelled = true;
    }

    /** Up to which time it has come. */
    public long reached() {
        return Math.clamp(reached, from, to);
    }

    /** From 0 to 1. */
    double share() {
        return (double) (reached() - from) / Math.max(1, to - from);
    }
}
