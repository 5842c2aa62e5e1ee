package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.ems.Refused;

/** What became of taking a command back. */
public sealed interface Cancelled {
    /** It will not be sent. */
    record Done(Command command) implements Cancelled {}

    /** There is none, or it is too late. */
    record Not(Refused why) implements Cancelled {}
}
