package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.SeriesName;

import java.time.Duration;

/** How long samples are kept. */
public interface Kept {
    /** After the end of its hour. */
    Duration of(SeriesName series);

    /** The longest of them all. */
    Duration longest();
}
