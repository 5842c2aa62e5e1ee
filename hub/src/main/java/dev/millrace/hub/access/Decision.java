package dev.millrace.hub.access;

import java.time.Duration;

/** What the {@link Gate} says. Each refusal is a sentence that tells the caller what to do. */
public sealed interface Decision {

    /** May pass. */
    record Admitted(Caller caller) implements Decision {}

    /** No token, or none that counts here (401). */
    record Unknown(String why) implements Decision {}

    /** Known, but role or scope do not reach (403). */
    record Forbidden(String why) implements Decision {}

    /** Too many wrong tokens from there; this one was wrong too (429). */
    record SlowDown(Duration retryAfter) implements Decision {
        public String why() {
            return "Too many wrong tokens came from this address; try again in %d s."
                    .formatted(retryAfterSeconds());
        }

        /** Rounded up, at least 1. */
        public long retryAfterSeconds() {
            return Math.max(1, retryAfter.plusMillis(999).toSeconds());
        }
    }

    /** Whether the token counts cannot be told, because Redis cannot be reached (503). */
    record Unavailable(String why) implements Decision {}
}
