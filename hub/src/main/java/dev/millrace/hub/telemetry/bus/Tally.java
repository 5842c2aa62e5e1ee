package dev.millrace.hub.telemetry.bus;

/**
 * How polling of a channel has gone since its driver was started.
 *
 * @param started in ms since 1970
 * @param successes polls that gave values
 * @param errors polls that did not, or not all
 * @param reconnects connections that were made after the first one
 * @param lastMillis how long the last poll took
 * @param averageMillis how long one takes, of late
 * @param lastError the last thing that was wrong; empty if nothing was
 * @param lastErrorAt when, in seconds since 1970; 0 if nothing was
 */
public record Tally(
        long started,
        long successes,
        long errors,
        long reconnects,
        double lastMillis,
        double averageMillis,
        String lastError,
        long lastErrorAt) {}
