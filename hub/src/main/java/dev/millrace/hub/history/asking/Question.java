package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.series.SeriesName;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * What somebody wants to know of some series.
 *
 * @param from in ms, included
 * @param to excluded
 * @param interval of the windows in ms; empty for one window
 * @param zone in which days begin
 * @param limit how many samples or windows of each series are told at once
 */
public record Question(
        List<SeriesName> series,
        long from,
        long to,
        Aggregation aggregation,
        Optional<Long> interval,
        ZoneId zone,
        Fill fill,
        int limit,
        boolean descending) {
    /** What one answer has of a series if nobody says. */
    public static final int STANDARD_LIMIT = 1000;

    public static final int LARGEST_LIMIT = 100_000;

    public Question {
        series = List.copyOf(series);
    }

    /** The same with another limit. */
    public Question withLimit(int most) {
        return new Question(series, from, to, aggregation, interval, zone, fill, most, descending);
    }

    Windows windows() {
        return interval.map(millis -> Windows.of(millis, zone))
                .orElseGet(() -> new Windows.One(from, to));
    }
}
