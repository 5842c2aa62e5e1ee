package dev.millrace.hub.history.asking;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times, durations and zones as clients write them. */
public final class Times {
    /** Fewer are seconds: as milliseconds they would be a moment of 1973. */
    private static final double SMALLEST_MILLIS = 1e11;

    /** The year 5138. */
    private static final double LARGEST_MILLIS = 1e14;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,9})?");
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d|w)");
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    /** In UTC, with milliseconds. */
    public static String iso(long at) {
        return ISO.format(Instant.ofEpochMilli(at));
    }

    /**
     * A time in ms: ISO 8601, or Unix seconds or milliseconds, told apart by size.
     *
     * @param zone of a time that does not say its own
     */
    public static OptionalLong time(String text, ZoneId zone) {
        if (NUMBER.matcher(text).matches()) {
            double number = Double.parseDouble(text);
            double millis = Math.abs(number) < SMALLEST_MILLIS ? number * 1000 : number;
            return Math.abs(millis) < LARGEST_MILLIS
                    ? OptionalLong.of(Math.round(millis))
                    : OptionalLong.empty();
        }
        try {
            long millis = iso(text.replace(' ', 'T'), zone).toEpochMilli();
            return Math.abs((double) millis) < LARGEST_MILLIS
                    ? OptionalLong.of(millis)
                    : OptionalLong.empty();
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    private static Instant iso(String text, ZoneId zone) {
        int time = text.indexOf('T');
        if (time < 0) {
            return LocalDate.parse(text).atStartOfDay(zone).toInstant();
        }
        boolean zoned =
                text.endsWith("Z") || text.indexOf('+', time) > 0 || text.indexOf('-', time) > 0;
        return zoned
                ? OffsetDateTime.parse(text).toInstant()
                : LocalDateTime.parse(text).atZone(zone).toInstant();
    }

    /** A duration in ms, such as {@code 5m} or {@code 2h10m}; a bare number is seconds. */
    public static OptionalLong duration(String text) {
        if (text.matches("[0-9]{1,9}")) {
            return OptionalLong.of(Long.parseLong(text) * 1000);
        }
        Matcher part = PART.matcher(text);
        long all = 0;
        int end = 0;
        while (part.find() && part.start() == end) {
            all += Long.parseLong(part.group(1)) * unit(part.group(2));
            end = part.end();
        }
        return end == 0 || end < text.length() ? OptionalLong.empty() : OptionalLong.of(all);
    }

    private static long unit(String word) {
        return switch (word) {
            case "ms" -> 1;
            case "s" -> 1000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> 7 * 86_400_000L;
        };
    }

    /** A zone by name or offset. */
    public static Optional<ZoneId> zone(String name) {
        try {
            return Optional.of(ZoneId.of(name));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
