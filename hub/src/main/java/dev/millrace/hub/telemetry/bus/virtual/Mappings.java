package dev.millrace.hub.telemetry.bus.virtual;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the mapping of a point says: which signal it shows, or what an order does. */
final class Mappings {
    private static final double STANDARD_PERIOD = 60;
    private static final double STANDARD_MAX = 100;
    private static final double LARGEST_COUNT = 1e9;
    private static final Set<String> ANSWERS = Set.of("done", "refused", "lost");

    private Mappings() {}

    /** What is wrong with the mappings of a channel; empty if they are right. */
    static Optional<String> mistake(ChannelConfiguration channel) {
        Plant plant = new Plant(channel.parameters(), 0);
        for (PointType type : PointType.values()) {
            for (PointDefinition point : channel.points(type)) {
                try {
                    if (point.isMapped() && type.isRead()) {
                        signal(plant, type, point, 0);
                    } else if (point.isMapped()) {
                        order(plant, point);
                    }
                } catch (IllegalArgumentException e) {
                    return Optional.of(
                            "points.%s, point %s: %s"
                                    .formatted(type, point.point(), e.getMessage()));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The signal of a point.
     *
     * @throws IllegalArgumentException with a sentence
     */
    static Signal signal(Plant plant, PointType type, PointDefinition point, long seed) {
        JsonNode mapping = point.mapping();
        long own = seed * 31 + type.reference(point.point()).hashCode();
        Signal plain = part(plant, mapping).orElseGet(() -> plain(mapping, own));
        double noise = Members.number(mapping, "noise", 0);
        return noise == 0 ? plain : new Signal.Noisy(plain, own + 1, noise);
    }

    private static Optional<Signal> part(Plant plant, JsonNode mapping) {
        for (String part : Plant.PARTS) {
            JsonNode output = mapping.path(part);
            if (!output.isMissingNode()) {
                String name = output.asString("");
                if (!plant.part(part).outputs().contains(name)) {
                    throw new IllegalArgumentException(
                            "a %s has no '%s'; it has %s."
                                    .formatted(part, name, sorted(plant.part(part).outputs())));
                }
                return Optional.of(new Signal.Of(part, name));
            }
        }
        return Optional.empty();
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    private static Signal plain(JsonNode mapping, long seed) {
        double min = Members.number(mapping, "min", 0);
        double max = Members.number(mapping, "max", STANDARD_MAX);
        double period = positive(mapping, "period", STANDARD_PERIOD);
        String name = mapping.path("signal").asString("");
        return switch (name) {
            case "sine" -> new Signal.Sine(min, max, period, Members.number(mapping, "phase", 0));
            case "ramp" -> new Signal.Ramp(min, max, period);
            case "drift" -> new Signal.Drift(seed, min, max, period);
            case "noise" -> new Signal.Noise(seed, min, max, positive(mapping, "every", 1));
            case "steps" -> new Signal.Steps(values(mapping), positive(mapping, "every", 10));
            case "counter" ->
                    new Signal.Counter(
                            Members.number(mapping, "rate", 1),
                            positive(mapping, "wrap", LARGEST_COUNT));
            case "constant" -> new Signal.Constant(Members.number(mapping, "value", 0));
            case "follows" -> follows(mapping);
            default ->
                    throw new IllegalArgumentException(
                            "there is no signal '%s'; there are sine, ramp, drift, noise, steps,"
                                            .formatted(name)
                                    + " counter, constant and follows, and the parts battery, tank"
                                    + " and meter.");
        };
    }

    private static double positive(JsonNode mapping, String member, double standard) {
        double number = Members.number(mapping, member, standard);
        if (number <= 0) {
            throw new IllegalArgumentException(member + " must be above 0.");
        }
        return number;
    }

    private static List<Double> values(JsonNode mapping) {
        List<Double> values = new ArrayList<>();
        for (JsonNode each : mapping.path("values")) {
            if (!each.isNumber()) {
                throw new IllegalArgumentException("values must be numbers.");
            }
            values.add(each.doubleValue());
        }
        return values.isEmpty() ? List.of(0.0, 1.0) : values;
    }

    private static Signal follows(JsonNode mapping) {
        Optional<PointType> type =
                PointType.of(mapping.path("type").asString("A")).filter(each -> !each.isRead());
        String point = mapping.path("point").asString("");
        if (type.isEmpty() || PointIds.point(point) == 0) {
            throw new IllegalArgumentException("follows needs a type, C or A, and a point.");
        }
        return new Signal.Follows(type.get(), point);
    }

    /**
     * What becomes of an order.
     *
     * @param part that hears of it; empty if it is only remembered
     * @param answer {@code done}, {@code refused}, or {@code lost}: done, and nobody hears of it
     * @param afterMillis how long the device takes for the answer
     */
    record Order(
            String part, String input, String answer, long afterMillis, Optional<Double> initial) {}

    /**
     * What an order of a point does.
     *
     * @throws IllegalArgumentException with a sentence
     */
    static Order order(Plant plant, PointDefinition point) {
        JsonNode mapping = point.mapping();
        String answer = mapping.path("answer").asString("done");
        if (!ANSWERS.contains(answer)) {
            throw new IllegalArgumentException("answer must be done, refused or lost.");
        }
        long after = (long) Math.max(0, Members.number(mapping, "after_ms", 0));
        Optional<Double> initial =
                mapping.path("initial").isNumber()
                        ? Optional.of(mapping.path("initial").doubleValue())
                        : Optional.empty();
        for (String part : Plant.PARTS) {
            JsonNode input = mapping.path(part);
            if (!input.isMissingNode()) {
                String name = input.asString("");
                if (!plant.part(part).inputs().contains(name)) {
                    throw new IllegalArgumentException(
                            "a %s does not take '%s'; it takes %s."
                                    .formatted(part, name, sorted(plant.part(part).inputs())));
                }
                return new Order(part, name, answer, after, initial);
            }
        }
        return new Order("", "", answer, after, initial);
    }
}
