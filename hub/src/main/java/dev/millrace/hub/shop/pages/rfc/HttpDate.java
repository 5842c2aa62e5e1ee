package dev.millrace.hub.shop.pages.rfc;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times in headers: written in one form, read in the three that HTTP knows. */
public final class HttpDate {
    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final int FIRST_YEAR = 1977;

    /** Without the day of the week, which says nothing new and may be wrong. */
    private static final List<DateTimeFormatter> READ =
            List.of(
                    DateTimeFormatter.ofPattern("dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT),
                    // Two digits are a year of the last decades, or of the next.
                    new DateTimeFormatterBuilder()
                            .appendPattern("dd-MMM-")
                            .appendValueReduced(ChronoField.YEAR, 2, 2, FIRST_YEAR)
                            .appendPattern(" HH:mm:ss 'GMT'")
                            .toFormatter(Locale.ROOT),
                    DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss yyyy", Locale.ROOT));

    private static final Pattern WEEKDAY = Pattern.compile("[A-Z][a-z]{2,8},? +?");

    private static final int LONGEST = 64;

    private HttpDate() {}

    public static String write(long millis) {
        return WRITTEN.format(Instant.ofEpochMilli(millis));
    }

    /** Milliseconds since 1970; empty if it is no time. */
    static Optional<Long> read(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        Matcher weekday = WEEKDAY.matcher(text.strip());
        if (!weekday.lookingAt()) {
            return Optional.empty();
        }
        String date = text.strip().substring(weekday.end());
        for (DateTimeFormatter form : READ) {
            try {
                return Optional.of(
                        LocalDateTime.parse(date, form).toInstant(ZoneOffset.UTC).toEpochMilli());
            } catch (DateTimeException e) {
                // The next form.
            }
        }
        return Optional.empty();
    }
}
