package dev.millrace.hub.shop.rows;

import java.time.Duration;
import java.util.Optional;

/** What somebody gets who asks for a row. */
sealed interface Row {

    /**
     * As it was here.
     *
     * @param age unknown where another program put it here
     */
    record Hit(String json, Optional<Duration> age) implements Row {}

    /** As it came from the database just now. */
    record Loaded(String json) implements Row {}

    /** As it was once; the database cannot be asked. */
    record Stale(String json, Optional<Duration> age) implements Row {}

    /**
     * There is none.
     *
     * @param hit whether that was known
     */
    record Absent(boolean hit) implements Row {}

    /** Neither here nor to be had from the database. */
    record Unavailable(String why) implements Row {}

    default Optional<String> text() {
        return switch (this) {
            case Hit hit -> Optional.of(hit.json);
            case Loaded loaded -> Optional.of(loaded.json);
            case Stale stale -> Optional.of(stale.json);
            case Absent absent -> Optional.empty();
            case Unavailable unavailable -> Optional.empty();
        };
    }
}
