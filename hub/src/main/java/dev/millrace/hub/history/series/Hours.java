package dev.millrace.hub.history.series;

import java.time.LocalDate;
import java.time.ZoneOffset;

/** Hours of UTC, counted since 1970, and how keys spell them. */
public final class Hours {
    public static final long MILLIS = 3_600_000;
    private static final int A_DAY = 24;

    private Hours() {}

    /** The hour of a time. */
    public static long of(long at) {
        return Math.floorDiv(at, MILLIS);
    }

    /** When it begins. */
    public static long start(long hour) {
        return hour * MILLIS;
    }

    /** {@code yyyyMMddHH}. */
    public static String stamp(long hour) {
        return date(hour) + ofDay(hour);
    }

    /** {@code yyyyMMdd}. */
    public static String date(long hour) {
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(hour, A_DAY));
        int number = day.getYear() * 10_000 + day.getMonthValue() * 100 + day.getDayOfMonth();
        return "%08d".formatted(number);
    }

    /** {@code HH}. */
    public static String ofDay(long hour) {
        int of = (int) Math.floorMod(hour, (long) A_DAY);
        return of < 10 ? "0" + of : Integer.toString(of);
    }

    /** The hour that a stamp names; for stamps that were made by {@link #stamp}. */
    public static long parse(String stamp) {
        LocalDate day =
                LocalDate.of(
                        Integer.parseInt(stamp, 0, 4, 10),
                        Integer.parseInt(stamp, 4, 6, 10),
                        Integer.parseInt(stamp, 6, 8, 10));
        return day.atStartOfDay().toEpochSecond(ZoneOffset.UTC) / 3600
                + Integer.parseInt(stamp, 8, 10, 10);
    }
}
