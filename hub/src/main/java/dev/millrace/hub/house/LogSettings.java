package dev.millrace.hub.house;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.util.List;

/** How much is logged, and in which form. */
public record LogSettings(Level level, Format format) {

    /** From the least to the most. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    public enum Format {
        TEXT,
        JSON
    }

    private static final Key<Level> LEVEL =
            Key.of(
                    "log.level",
                    Kind.choice(Level.class),
                    "info",
                    "how much is logged: error, warn, info, debug or trace");

    private static final Key<Format> FORMAT =
            Key.of(
                    "log.format",
                    Kind.choice(Format.class),
                    "text",
                    "its form: text for people, or json, one object a line");

    public static final Keys.Group KEYS =
            new Keys.Group("The log, on standard error", List.of(LEVEL, FORMAT));

    public static LogSettings read(Values values) {
        return new LogSettings(values.get(LEVEL), values.get(FORMAT));
    }
}
