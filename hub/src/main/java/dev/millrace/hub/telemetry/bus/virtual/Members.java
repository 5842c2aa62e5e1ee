package dev.millrace.hub.telemetry.bus.virtual;

import tools.jackson.databind.JsonNode;

/** Numbers in configurations. */
final class Members {
    private Members() {}

    /** The number of this name, or the standard one. */
    static double number(JsonNode object, String member, double standard) {
        JsonNode value = object.path(member);
        return value.isNumber() && Double.isFinite(value.doubleValue())
                ? value.doubleValue()
                : standard;
    }
}
