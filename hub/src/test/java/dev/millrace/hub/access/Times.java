package dev.millrace.hub.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes when a test says so. */
final class Times implements InstantSource {
    private Instant now = Instant.parse("2026-11-16T12:00:00Z");
    private long nanos = Long.MAX_VALUE - 1000; // clocks of this sort may overflow

    @Override
    public synchronized Instant instant() {
        return now;
    }

    synchronized long nanos() {
        return nanos;
    }

    synchronized void pass(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
    }
}
