package dev.millrace.hub.http.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory one kind of thing may take, all clients together. Limits for each request do not
 * bound their sum: two thousand bodies of a megabyte are more than a small machine has.
 */
final class Budget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    Budget(long limit) {
        this.limit = limit;
    }

    /** Takes so many bytes; false, and nothing taken, if there are not enough left. */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limit) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    AtomicLong used() {
        return used;
    }
}
