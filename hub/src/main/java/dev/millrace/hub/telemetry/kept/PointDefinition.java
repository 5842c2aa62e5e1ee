package dev.millrace.hub.telemetry.kept;

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
 */
public record PointDefinition(
        String point,
        String name,
        String unit,
        Conversion conversion,
        OptionalDouble min,
        OptionalDouble max,
        double deadband,
        double deadbandPercent) {

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
