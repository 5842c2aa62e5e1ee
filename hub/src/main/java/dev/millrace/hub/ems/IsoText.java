package dev.millrace.hub.ems;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Times as clients read them: ISO 8601, UTC, with milliseconds. Nearly all that are written are of
 * this second, so its text is kept. Thread-safe.
 */
public final class IsoText {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'.'").withZone(ZoneOffset.UTC);
    private static final int NANOS_PER_MILLI = 1_000_000;

    private record Second(long number, String text) {}

    private static volatile @Nullable Second latest;

    private IsoText() {}

    public static String of(Instant at) {
        long number = at.getEpochSecond();
        Second second = latest;
        if (second == null || second.number != number) {
            second = new Second(number, SECONDS.format(at));
            latest = second;
        }
        int millis = at.getNano() / NANOS_PER_MILLI;
        String zeros = millis < 10 ? "00" : millis < 100 ? "0" : "";
        return second.text + zeros + millis + 'Z';
    }
}
