package dev.millrace.hub.history.batches;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a batch is. */
enum BatchStatus {
    /** It waits for somebody to write it somewhere else, and never goes by itself. */
    CREATED,
    /** Somebody has; its samples are gone from here. */
    WRITTEN,
    /** Nobody has, or somebody could not. */
    FAILED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<BatchStatus> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findAny();
    }
}
