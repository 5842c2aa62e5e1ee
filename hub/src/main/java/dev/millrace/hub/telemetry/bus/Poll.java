package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.PointType;

import java.util.List;
import java.util.Optional;

/** What a device has said when all its points were read. */
public sealed interface Poll {
    /**
     * It has answered, though perhaps not everything.
     *
     * @param missed points that could not be read, or whose value cannot be
     * @param trouble what was wrong, if anything was
     */
    record Answered(List<Sample> samples, List<Missed> missed, Optional<String> trouble)
            implements Poll {}

    /**
     * It has said nothing that can be used.
     *
     * @param lost whether the connection has ended with it
     */
    record Failed(String why, boolean lost) implements Poll {}

    /**
     * A value as the device has it.
     *
     * @param exact its text, if a double cannot hold it; else empty
     */
    record Sample(PointType type, String point, double raw, String exact) {
        public Sample(PointType type, String point, double raw) {
            this(type, point, raw, "");
        }
    }

    /** A point without a value. */
    record Missed(PointType type, String point) {}
}
