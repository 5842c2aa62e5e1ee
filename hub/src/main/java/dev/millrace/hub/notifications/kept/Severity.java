package dev.millrace.hub.notifications.kept;

import tools.jackson.databind.annotation.JsonDeserialize;

/** How much depends on it: only what is critical is sent again when it fails, and escalated. */
@JsonDeserialize(using = Severity.Reader.class)
public enum Severity {
    CRITICAL,
    NORMAL;

    /** From JSON. */
    static final class Reader extends WordReader<Severity> {
        Reader() {
            super(Severity.class, "severity");
        }
    }
}
