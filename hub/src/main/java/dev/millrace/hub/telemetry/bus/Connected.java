package dev.millrace.hub.telemetry.bus;

/** What became of connecting to a device. */
public sealed interface Connected {
    /** There was a connection. */
    record Already() implements Connected {}

    /** There is one now. */
    record Now() implements Connected {}

    /** There is none. */
    record Not(String why) implements Connected {}
}
