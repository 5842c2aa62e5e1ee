package dev.millrace.keyspace;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a check is.
 *
 * @param done keys and index entries looked at, those of an earlier run that was cut short included
 * @param total how many there may be in all; an estimate
 * @param before how many of them an earlier run has done
 * @param elapsed since this run began
 * @param drift differences so far
 */
public record CheckProgress(long done, long total, long before, Duration elapsed, long drift) {

    /** Never 100 before the end. */
    public int percent() {
        return total == 0 ? 0 : (int) Math.min(99, done * 100 / total);
    }

    /** Keys and entries a second, in this run. */
    public long perSecond() {
        return (done - before) * 1000 / Math.max(1, elapsed.toMillis());
    }

    /** Roughly how long it will take; empty before that can be told. */
    public Optional<Duration> left() {
        long speed = perSecond();
        return speed == 0
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(Math.max(0, total - done) / speed));
    }
}
