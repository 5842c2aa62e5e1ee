package dev.millrace.hub.telemetry;

import java.util.Locale;
import java.util.Optional;

/** How far a value may be believed. */
public enum Quality {
    GOOD,
    BAD,
    UNCERTAIN,
    /** It was good once; the channel has not been heard of since. */
    OFFLINE;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** As it is stored, and as clients read it. */
    public String word() {
        return word;
    }

    /** The one with this word; what others have stored may be none. */
    public static Optional<Quality> of(String word) {
        for (Quality each : values()) {
            if (each.word.equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
