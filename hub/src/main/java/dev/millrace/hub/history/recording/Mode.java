package dev.millrace.hub.history.recording;

import java.util.Locale;
import java.util.Optional;

/** When a value becomes a sample. */
public enum Mode {
    /** When it differs from the last one. */
    ON_CHANGE,
    /** Always. */
    ON_UPDATE,
    /** The first one of every interval. */
    INTERVAL;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Mode> of(String word) {
        for (Mode each : values()) {
            if (each.word().equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
