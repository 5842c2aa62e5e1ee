package dev.millrace.hub.models;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.telemetry.commands.Submitted;

/** Actions of models, for other rooms that order them. Thread-safe. */
@FunctionalInterface
public interface ModelOrders {
    /**
     * Orders an action, once for this id.
     *
     * @param value a number
     */
    Submitted order(String model, String action, String value, Actor by, String commandId);
}
