package dev.millrace.hub.why;

import java.util.Locale;

/** What a part of a chain is, in the order in which they usually follow each other. */
public enum Kind {
    /** A value that was written. */
    VALUE,
    /** Somebody asked for it. */
    CALL,
    /** A time that had come. */
    MOMENT,
    /** One time that an alarm was raised, with all that happened to it until it ended. */
    ALARM,
    NOTIFICATION,
    TRANSMISSION,
    EXECUTION,
    COMMAND,
    /** What the device said after a command. */
    READ_BACK;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether nothing comes before it. */
    boolean begins() {
        return this == VALUE || this == CALL || this == MOMENT;
    }
}
