package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;

import java.util.Optional;
import java.util.OptionalDouble;

/** Which points can be ordered to be what. */
final class CommandRules {
    private CommandRules() {}

    /** A point that can be ordered. */
    record Target(PointType type, PointDefinition definition) {}

    /** The point that is meant: where it is not said, of type C if there is one, else A. */
    static Optional<Target> target(
            ChannelConfiguration channel, Optional<PointType> type, String point) {
        if (type.isPresent()) {
            return type.get().isRead()
                    ? Optional.empty()
                    : channel.point(type.get(), point).map(each -> new Target(type.get(), each));
        }
        return target(channel, Optional.of(PointType.C), point)
                .or(() -> target(channel, Optional.of(PointType.A), point));
    }

    /** What is wrong with a value, in a sentence; empty if the point takes it. */
    static Optional<String> mistake(Target target, double value) {
        if (target.type() == PointType.C && value != 0 && value != 1) {
            return Optional.of("A control is ordered to be 0 or 1.");
        }
        PointDefinition definition = target.definition();
        return definition.believes(value)
                ? Optional.empty()
                : Optional.of(
                        "The value must be from %s to %s."
                                .formatted(bound(definition.min()), bound(definition.max())));
    }

    private static String bound(OptionalDouble number) {
        return number.isPresent() ? NumberText.shortest(number.getAsDouble()) : "anything";
    }
}
