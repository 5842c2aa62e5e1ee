package dev.millrace.hub.history;

import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the past is to other rooms. Thread-safe. */
public interface Past {
    /**
     * Hands over the samples of several series in the order of their times, a bounded number in
     * memory at a time, until there are no more or the taker has enough.
     *
     * @param from included
     * @param to excluded
     */
    void replay(List<SeriesName> series, Instant from, Instant to, Taker taker);

    /** The newest sample before a time, looked for at most a day back. */
    Optional<Sample> before(SeriesName series, Instant at);

    /** Takes one sample after another. */
    @FunctionalInterface
    interface Taker {
        /** Says whether it wants more. */
        boolean take(SeriesName series, Sample sample);
    }
}
