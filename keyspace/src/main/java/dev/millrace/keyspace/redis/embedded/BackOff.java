package dev.millrace.keyspace.redis.embedded;

import java.time.Duration;

/**
 * Pauses before attempts: 100 ms, then twice as long each time, up to 10 s. What has gone well for
 * a minute begins again with the shortest. Not thread-safe.
 */
final class BackOff {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration HEALTHY = Duration.ofMinutes(1);

    private Duration next = FIRST;

    Duration next() {
        Duration pause = next;
        Duration doubled = pause.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        return pause;
    }

    /** It has gone well for so long. */
    void healthy(Duration time) {
        if (time.compareTo(HEALTHY) >= 0) {
            next = FIRST;
        }
    }
}
