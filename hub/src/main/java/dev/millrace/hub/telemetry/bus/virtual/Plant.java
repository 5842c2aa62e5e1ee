package dev.millrace.hub.telemetry.bus.virtual;

import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands behind a virtual device: its parts, and what was ordered. It goes on in small steps
 * of a grid, so it is the same however often it is looked at. Guarded by its device.
 */
final class Plant {
    static final Set<String> PARTS = Set.of("battery", "tank", "meter");

    private static final double STEP = 0.5;

    /** Nobody looked for so long: then it stood still for the rest of the time. */
    private static final long MOST_STEPS = 20_000;

    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final Map<String, Double> orders = new HashMap<>();
    private long step = -1;

    Plant(JsonNode parameters, long seed) {
        Battery battery = new Battery(parameters.path("battery"));
        parts.put("battery", battery);
        parts.put("tank", new Tank(parameters.path("tank")));
        parts.put(
                "meter",
                new Meter(
                        parameters.path("meter"),
                        seed,
                        parameters.path("battery").isObject()
                                ? Optional.of(battery)
                                : Optional.empty()));
    }

    /** The time of the device has come to this. */
    void advance(double seconds) {
        long now = (long) Math.floor(seconds / STEP);
        if (step < 0 || now - step > MOST_STEPS) {
            step = Math.max(step, now - 1);
        }
        while (step < now) {
            step++;
            double at = step * STEP;
            parts.values().forEach(each -> each.advance(at, STEP));
        }
    }

    double output(String part, String name) {
        return part(part).output(name);
    }

    Part part(String name) {
        Part part = parts.get(name);
        if (part == null) {
            throw new IllegalArgumentException(name);
        }
        return part;
    }

    double ordered(PointType type, String point) {
        return orders.getOrDefault(type.reference(point), 0.0);
    }

    void order(PointType type, String point, double value) {
        orders.put(type.reference(point), value);
    }

    void initially(PointType type, String point, double value) {
        orders.putIfAbsent(type.reference(point), value);
    }
}
