package dev.millrace.hub.telemetry.kept;

/**
 * How the raw value of a device becomes the one that people read, and back. What comes in by the
 * API has been through it; adapters of devices use it.
 *
 * @param scale not 0
 * @param reverse for two-state points: 0 becomes 1, and everything else 0
 */
public record Conversion(double scale, double offset, boolean reverse) {
    public static final Conversion NONE = new Conversion(1, 0, false);

    public Conversion {
        if (scale == 0 || !Double.isFinite(scale) || !Double.isFinite(offset)) {
            throw new IllegalArgumentException(
                    "A scale must be a finite number other than 0, an offset a finite number.");
        }
    }

    /** What people read; infinite if it is more than a double can hold. */
    public double engineering(PointType type, double raw) {
        return switch (type) {
            case T, A -> scaled(raw);
            case S, C -> state(raw);
        };
    }

    /**
     * A device that counts in tenths has a scale of 0.1, which no double is; so its values are
     * divided by 10, and 862 becomes 86.2 and not 86.200000000000003.
     */
    private double scaled(double raw) {
        double divisor = Math.rint(1 / scale);
        if (scale == 1 || 1 / divisor != scale) {
            return raw * scale + offset;
        }
        double whole = offset * divisor;
        return whole == Math.rint(whole) ? (raw + whole) / divisor : raw / divisor + offset;
    }

    /** What the device gets for it. */
    public double raw(PointType type, double engineering) {
        return switch (type) {
            case T, A -> (engineering - offset) / scale;
            case S, C -> state(engineering);
        };
    }

    private double state(double value) {
        if (!reverse) {
            return value;
        }
        return value == 0 ? 1 : 0;
    }
}
