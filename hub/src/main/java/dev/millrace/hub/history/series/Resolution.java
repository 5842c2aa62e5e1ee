package dev.millrace.hub.history.series;

import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * How fine roll-ups are, from the finest to the coarsest. Each lies in sorted sets of about a
 * hundred windows, or some hundreds: of the minutes of an hour, the quarters of a day, the hours of
 * a month, the days of a year.
 */
public enum Resolution {
    MINUTE("1m", 60_000),
    QUARTER("15m", 900_000),
    HOUR("1h", 3_600_000),
    DAY("1d", 86_400_000);

    private static final int HOURS_OF_A_DAY = 24;

    private final String word;
    private final long millis;

    Resolution(String word, long millis) {
        this.word = word;
        this.millis = millis;
    }

    /** As fields and clients spell it. */
    public String word() {
        return word;
    }

    /** Of one window. */
    public long millis() {
        return millis;
    }

    /** When the window begins in which this time lies. */
    public long start(long at) {
        return Math.floorDiv(at, millis) * millis;
    }

    /** The field under which the roll-ups of a field lie. */
    public String field(String field) {
        return field + "." + word;
    }

    /** The first hour of the set in which the windows of an hour lie. */
    public long set(long hour) {
        if (this == MINUTE) {
            return hour;
        }
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(hour, HOURS_OF_A_DAY));
        LocalDate first =
                switch (this) {
                    case MINUTE, QUARTER -> day;
                    case HOUR -> day.withDayOfMonth(1);
                    case DAY -> day.withDayOfYear(1);
                };
        return startOf(first);
    }

    /** The first hour of the set after the one that begins with this hour. */
    public long nextSet(long set) {
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(set, HOURS_OF_A_DAY));
        return switch (this) {
            case MINUTE -> set + 1;
            case QUARTER -> set + HOURS_OF_A_DAY;
            case HOUR -> startOf(day.plusMonths(1));
            case DAY -> startOf(day.plusYears(1));
        };
    }

    private static long startOf(LocalDate day) {
        return day.atStartOfDay().toEpochSecond(ZoneOffset.UTC) / 3600;
    }
}
