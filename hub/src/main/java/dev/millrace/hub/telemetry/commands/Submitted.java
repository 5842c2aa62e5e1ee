package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.ems.Refused;

/** What became of giving an order. */
public sealed interface Submitted {
    /** It waits for its turn. */
    record Accepted(Command command) implements Submitted {}

    /** The very same was given before, with this id; how far it is. */
    record Before(Command command) implements Submitted {}

    /** It is not done, and nothing has changed. */
    record Not(Refused why) implements Submitted {}
}
