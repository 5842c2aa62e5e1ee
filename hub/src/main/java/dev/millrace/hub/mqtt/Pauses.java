package dev.millrace.hub.mqtt;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after a failure: twice as long each time up to a limit, and up to a half less by
 * chance, so that many who lost the same broker do not come back in one moment. For one thread.
 */
final class Pauses {
    private final long first;
    private final long longest;
    private long next;

    Pauses(Duration first, Duration longest) {
        this.first = first.toNanos();
        this.longest = longest.toNanos();
        this.next = this.first;
    }

    Duration next() {
        long now = next;
        next = Math.min(longest, next * 2);
        return Duration.ofNanos(now - ThreadLocalRandom.current().nextLong(now / 2 + 1));
    }

    void reset() {
        next = first;
    }
}
