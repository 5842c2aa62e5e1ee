package dev.millrace.hub.telemetry.kept;

import dev.millrace.hub.ems.IsoText;

import java.time.Instant;

/** Times as clients read them. */
public final class Texts {
    private Texts() {}

    public static String iso(Instant at) {
        return IsoText.of(at);
    }
}
