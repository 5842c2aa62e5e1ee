package dev.millrace.hub.ems;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * Times as clients read them: ISO 8601, UTC, with milliseconds. Nearly all that are written, and
 * that are read back from a feed, are of this second, so its text is kept. Thread-safe.
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

    /**
     * Reads a time, also one that was written by others.
     *
     * @throws DateTimeParseException if it is not a time in ISO 8601
     */
    public static Instant read(String text) {
        Second second = latest;
        int millis = second == null ? -1 : millisOf(second, text);
        return second == null || millis < 0
                ? Instant.parse(text)
                : Instant.ofEpochSecond(second.number, (long) millis * NANOS_PER_MILLI);
    }

    /** Negative where the text is not a time of this second in our own words. */
    private static int millisOf(Second second, String text) {
        int seconds = second.text.length();
        if (text.length() != seconds + 4
                || !text.startsWith(second.text)
                || text.charAt(seconds + 3) != 'Z') {
            return -1;
        }
        int millis = 0;
        for (int i = seconds; i < seconds + 3; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            millis = millis * 10 + digit;
        }
        return millis;
    }
}
