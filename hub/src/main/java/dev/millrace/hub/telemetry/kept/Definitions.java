package dev.millrace.hub.telemetry.kept;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Definitions of points in JSON: how they are read, and what is wrong with one. */
public final class Definitions {
    private static final Set<String> DATA_TYPES =
            Set.of(
                    "float32", "float64", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                    "bool");
    private static final Set<String> NUMBERS =
            Set.of("scale", "offset", "min_value", "max_value", "deadband", "deadband_percent");
    private static final Set<String> TEXTS = Set.of("signal_name", "unit");

    private Definitions() {}

    /** What can be used of it; empty if it does not say which point it is about. */
    static Optional<PointDefinition> read(JsonNode json) {
        String id = json.path("point_id").asString("");
        if (PointIds.point(id) == 0) {
            return Optional.empty();
        }
        double scale = number(json, "scale").orElse(1);
        return Optional.of(
                new PointDefinition(
                        id,
                        json.path("signal_name").asString(""),
                        json.path("unit").asString(""),
                        new Conversion(
                                scale == 0 ? 1 : scale,
                                number(json, "offset").orElse(0),
                                json.path("reverse").asBoolean(false)),
                        number(json, "min_value"),
                        number(json, "max_value"),
                        number(json, "deadband").orElse(0),
                        number(json, "deadband_percent").orElse(0),
                        json.path("data_type").asString(""),
                        json.path("mapping") instanceof ObjectNode mapping
                                ? mapping
                                : JsonNodeFactory.instance.objectNode()));
    }

    private static OptionalDouble number(JsonNode json, String member) {
        double value = json.path(member).isNumber() ? json.path(member).doubleValue() : Double.NaN;
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** What is wrong with all points of a channel; empty if they are right. */
    public static Optional<String> mistake(JsonNode points) {
        if (points.isMissingNode() || points.isNull()) {
            return Optional.empty();
        }
        if (!(points instanceof ObjectNode object)) {
            return Optional.of("points must be an object of T, S, C and A, each a list.");
        }
        for (String letter : object.propertyNames()) {
            if (PointType.of(letter).isEmpty()) {
                return Optional.of("points has T, S, C and A, not '%s'.".formatted(letter));
            }
            JsonNode list = object.path(letter);
            if (!list.isArray()) {
                return Optional.of("points.%s must be a list.".formatted(letter));
            }
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < list.size(); i++) {
                JsonNode point = list.get(i);
                Optional<String> mistake = mistakeOf(point);
                if (mistake.isEmpty() && !seen.add(point.path("point_id").asString(""))) {
                    mistake = Optional.of("the point is there twice");
                }
                if (mistake.isPresent()) {
                    return Optional.of("points.%s[%d]: %s.".formatted(letter, i, mistake.get()));
                }
            }
        }
        return Optional.empty();
    }

    /** What is wrong with the definition of one point. */
    public static Optional<String> mistakeOf(JsonNode point) {
        if (!point.isObject()) {
            return Optional.of("a point is an object");
        }
        if (PointIds.point(point.path("point_id").asString("")) == 0) {
            return Optional.of("point_id must be a number from 1 to 4294967295");
        }
        for (String member : NUMBERS) {
            JsonNode value = point.path(member);
            boolean right = value.isNumber() && Double.isFinite(value.doubleValue());
            if (!value.isMissingNode() && !value.isNull() && !right) {
                return Optional.of(member + " must be a number");
            }
        }
        for (String member : TEXTS) {
            JsonNode value = point.path(member);
            if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
                return Optional.of(member + " must be a text");
            }
        }
        if (point.path("scale").isNumber() && point.path("scale").doubleValue() == 0) {
            return Optional.of("scale must not be 0");
        }
        if (point.path("deadband").asDouble(0) < 0
                || point.path("deadband_percent").asDouble(0) < 0) {
            return Optional.of("a dead band must not be negative");
        }
        JsonNode mapping = point.path("mapping");
        if (!mapping.isMissingNode() && !mapping.isNull() && !mapping.isObject()) {
            return Optional.of("mapping must be an object");
        }
        if (point.path("reverse").isString()) {
            return Optional.of("reverse must be true or false");
        }
        String dataType = point.path("data_type").asString("");
        if (!dataType.isEmpty() && !DATA_TYPES.contains(dataType)) {
            return Optional.of("data_type '%s' is not known".formatted(dataType));
        }
        OptionalDouble min = number(point, "min_value");
        OptionalDouble max = number(point, "max_value");
        if (min.isPresent() && max.isPresent() && min.getAsDouble() > max.getAsDouble()) {
            return Optional.of("min_value is greater than max_value");
        }
        return Optional.empty();
    }
}
