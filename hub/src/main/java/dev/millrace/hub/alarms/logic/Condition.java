package dev.millrace.hub.alarms.logic;

/**
 * When a value is one to raise an alarm for, and how far it must retreat before the alarm ends.
 * Comparisons are those of doubles, without tolerance.
 *
 * @param limit the threshold
 * @param limit2 the second one of {@code between} and {@code outside}
 * @param clearLimit where a raised alarm ends; NaN for the threshold, moved by the dead band
 * @param deadband how far the value must retreat past the threshold; 0 or more
 */
public record Condition(
        Operator operator, double limit, double limit2, double clearLimit, double deadband) {

    /**
     * A value with the one before it.
     *
     * @param before NaN if it is not known
     * @param seconds between both
     */
    public record Sample(double number, double before, double seconds) {
        double rate() {
            return seconds > 0 ? (number - before) / seconds : Double.NaN;
        }
    }

    /** Whether it raises an alarm. */
    public boolean raises(Sample sample) {
        return holds(sample, limit, limit2, 0);
    }

    /** Whether an alarm that was raised stays. */
    public boolean keeps(Sample sample) {
        boolean own = !Double.isNaN(clearLimit);
        return holds(sample, own ? clearLimit : limit, limit2, own ? 0 : deadband);
    }

    private boolean holds(Sample sample, double first, double second, double band) {
        double value = sample.number();
        return switch (operator) {
            case ABOVE -> value > first - band;
            case AT_LEAST -> value >= first - band;
            case BELOW -> value < first + band;
            case AT_MOST -> value <= first + band;
            case EQUAL -> Math.abs(value - first) <= band;
            case UNEQUAL -> value != first;
            case BETWEEN -> value >= first - band && value <= second + band;
            case OUTSIDE -> value < first + band || value > second - band;
            case CHANGE -> !Double.isNaN(sample.before()) && value != sample.before();
            case RISING -> sample.rate() > first - band;
            case FALLING -> sample.rate() < first + band;
            case BIT -> ((long) value & (long) first) != 0;
        };
    }
}
