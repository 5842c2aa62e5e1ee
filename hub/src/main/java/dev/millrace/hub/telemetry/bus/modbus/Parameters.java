package dev.millrace.hub.telemetry.bus.modbus;

import tools.jackson.databind.JsonNode;

import java.time.Duration;

/**
 * How a device is reached.
 *
 * @param unit of points that do not say which one
 * @param timeout for one answer, and for a connection
 * @param gap how many registers that nobody wants may be read between two that somebody wants
 * @param most how many registers one answer may have
 */
record Parameters(String host, int port, int unit, Duration timeout, int gap, int most) {
    private static final int STANDARD_PORT = 502;
    private static final double STANDARD_TIMEOUT = 3;
    private static final double LONGEST_TIMEOUT = 60;
    private static final int STANDARD_GAP = 8;
    private static final int MOST_REGISTERS = 125;
    private static final int LARGEST_PORT = 65_535;
    private static final int LARGEST_UNIT = 255;

    /**
     * Of a channel.
     *
     * @throws IllegalArgumentException with a sentence
     */
    static Parameters of(JsonNode parameters) {
        String host = parameters.path("host").asString("");
        if (host.isBlank()) {
            throw new IllegalArgumentException("parameters.host is missing.");
        }
        return new Parameters(
                host,
                whole(parameters, "port", STANDARD_PORT, 1, LARGEST_PORT),
                whole(parameters, "slave_id", 1, 0, LARGEST_UNIT),
                timeout(parameters),
                whole(parameters, "max_gap", STANDARD_GAP, 0, MOST_REGISTERS),
                whole(parameters, "max_block", MOST_REGISTERS, 1, MOST_REGISTERS));
    }

    /** In {@code timeout_ms}, or in {@code timeout_secs} as others write it. */
    private static Duration timeout(JsonNode parameters) {
        JsonNode millis = parameters.path("timeout_ms");
        JsonNode seconds = parameters.path("timeout_secs");
        double said =
                millis.isNumber()
                        ? millis.doubleValue() / 1000
                        : seconds.isNumber() ? seconds.doubleValue() : STANDARD_TIMEOUT;
        if (!(said > 0 && said <= LONGEST_TIMEOUT)) {
            throw new IllegalArgumentException(
                    "parameters.timeout_ms must be above 0, and a minute at most.");
        }
        return Duration.ofMillis(Math.max(1, Math.round(said * 1000)));
    }

    private static int whole(
            JsonNode parameters, String member, int standard, int least, int most) {
        JsonNode value = parameters.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return standard;
        }
        if (!value.isIntegralNumber() || value.longValue() < least || value.longValue() > most) {
            throw new IllegalArgumentException(
                    "parameters.%s must be a whole number from %d to %d."
                            .formatted(member, least, most));
        }
        return value.intValue();
    }
}
