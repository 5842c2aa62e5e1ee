package dev.millrace.hub.house;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;

/** How much is logged, and in which form. */
public record LogSettings(
        @Setting(about = "how much is logged: error, warn, info, debug or trace", standard = "info")
                Level level,
        @Setting(about = "its form: text for people, or json, one object a line", standard = "text")
                Format format) {

    public static final Block<LogSettings> BLOCK =
            Block.of("log", "The log, on standard error", LogSettings.class);

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
}
