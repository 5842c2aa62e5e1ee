package dev.millrace.hub.telemetry.bus;

import java.time.InstantSource;

/** Counts how polling of a channel goes. Of the driver's thread alone. */
final class Counts {
    /** Of the newest poll, in the average. */
    private static final double WEIGHT = 0.1;

    private static final long MILLIS_PER_SECOND = 1000;
    private static final double NANOS_PER_MILLI = 1e6;

    private final InstantSource clock;
    private final long started;
    private long successes;
    private long errors;
    private long connections;
    private double lastMillis;
    private double averageMillis;
    private String lastError = "";
    private long lastErrorAt;

    Counts(InstantSource clock) {
        this.clock = clock;
        this.started = clock.millis();
    }

    private long now() {
        return clock.millis() / MILLIS_PER_SECOND;
    }

    void connected() {
        connections++;
    }

    void success() {
        successes++;
    }

    void error(String why) {
        errors++;
        lastError = why;
        lastErrorAt = now();
    }

    void took(long nanos) {
        lastMillis = Math.round(nanos / NANOS_PER_MILLI * 100) / 100.0;
        double average =
                averageMillis == 0
                        ? lastMillis
                        : averageMillis + WEIGHT * (lastMillis - averageMillis);
        averageMillis = Math.round(average * 100) / 100.0;
    }

    Tally tally() {
        return new Tally(
                started,
                successes,
                errors,
                Math.max(0, connections - 1),
                lastMillis,
                averageMillis,
                lastError,
                lastErrorAt);
    }
}
