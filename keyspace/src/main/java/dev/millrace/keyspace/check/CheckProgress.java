package dev.millrace.keyspace.check;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a check is.
 *
 * @param done keys looked at; each comes twice, for the indexes and for the values
 * @param total how many there are in all, twice
 * @param elapsed since it began
 * @param drift differences so far
 */
public record CheckProgress(long done, long total, Duration elapsed, long drift) {

    /** Never 100 before the end. */
    public int percent() {
        return total == 0 ? 0 : (int) Math.min(99, done * 100 / total);
    }

    /** Keys a second. */
    public long perSecond() {
        return done * 1000 / Math.max(1, elapsed.toMillis());
    }

    /** Roughly how long it will take; empty before that can be told. */
    public Optional<Duration> left() {
        long speed = perSecond();
        return speed == 0
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(Math.max(0, total - done) / speed));
    }
}
