package dev.millrace.hub.telemetry.kept;

import java.util.Optional;

/** The four kinds of points. Numbers are unique within a kind, not across. */
public enum PointType {
    /** A measured value. */
    T,
    /** A state. */
    S,
    /** A command. */
    C,
    /** A set point. */
    A;

    /** The one of this letter. */
    public static Optional<PointType> of(String letter) {
        for (PointType each : values()) {
            if (each.name().equals(letter)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Whether its values come from devices. */
    public boolean isRead() {
        return this == T || this == S;
    }

    /** How a point is named where its kind is not said otherwise: {@code 101}, {@code S.10}. */
    public String reference(String point) {
        return this == T ? point : name() + "." + point;
    }
}
