package dev.millrace.hub.telemetry.kept;

import tools.jackson.databind.node.ObjectNode;

import java.util.OptionalDouble;

/**
 * What the configuration of a channel says about a point.
 *
 * @param name empty if it has none
 * @param unit empty if it has none
 * @param min what is less is not believed
 * @param max what is more is not believed
 * @param deadband a value that differs less from the stored one is not stored
 * @param deadbandPercent the same in percent of the stored one
 * @param dataType what the device has, such as {@code int16}; empty if it is not said
 * @param mapping where the device has it, in the words of its protocol; empty if it has it nowhere
 */
public record PointDefinition(
        String point,
        String name,
        String unit,
        Conversion conversion,
        OptionalDouble min,
        OptionalDouble max,
        double deadband,
        double deadbandPercent,
        String dataType,
        ObjectNode mapping) {

    /** Whether it is said where the device has it. */
    public boolean isMapped() {
        return !mapping.isEmpty();
    }

    /** Whether the value can be. */
    public boolean believes(double value) {
        return !(min.isPresent() && value < min.getAsDouble())
                && !(max.isPresent() && value > max.getAsDouble());
    }

    public boolean hasDeadband() {
        return deadband > 0 || deadbandPercent > 0;
    }

    /** Whether it is worth telling, after this one. */
    public boolean differs(double before, double value) {
        double change = Math.abs(value - before);
        boolean within = change < deadband || change < Math.abs(before) * deadbandPercent / 100;
        return !within;
    }
}
