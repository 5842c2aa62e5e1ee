package dev.millrace.hub.telemetry.kept;

import dev.millrace.hub.ems.IsoText;

import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Times as clients read them. */
public final class Texts {
    private Texts() {}

    public static String iso(Instant at) {
        return IsoText.of(at);
    }

    /**
     * A time that was written so.
     *
     * @throws DateTimeParseException if it is not a time in ISO 8601
     */
    public static Instant read(String text) {
        return IsoText.read(text);
    }
}
