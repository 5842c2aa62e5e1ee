package dev.millrace.keyspace.redis.outcome;

/** Why something was not done. Each one says by itself whether trying again later can help. */
public enum Reason {
    /** A check inside the commit failed: somebody else changed what it relied on. */
    CONFLICT(false),
    /** The thing, or the unique field, exists already. */
    DUPLICATE(false),
    /** There is nothing to replace or delete. */
    ABSENT(false),
    /** The key is not allowed here: outside its grammar, or it belongs to another layout. */
    REFUSED(false),
    /** More writes or bytes than one commit takes. */
    TOO_LARGE(false),
    /** A key of the commit holds another type than its layout says. */
    WRONG_TYPE(false),
    /** The server's memory or disk is full. */
    FULL(true),
    /** The server is a read-only replica. */
    READ_ONLY(true),
    /** User, password or rights are not accepted. */
    DENIED(false),
    /** Not reached, not ready, or too busy; nothing was executed. */
    UNAVAILABLE(true),
    /** The server answered with an error we do not expect; nothing was written. */
    ERROR(false);

    private final boolean transientFault;

    Reason(boolean transientFault) {
        this.transientFault = transientFault;
    }

    /** Whether the same request may succeed later without anybody changing it. */
    public boolean passes() {
        return transientFault;
    }
}
