package dev.millrace.hub.models;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.Quality;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the values of a model are now, and how good what they are made from is. Each change gives
 * another one. Immutable.
 *
 * @param raw as it lies in Redis, which the next commit compares; null if there is nothing
 * @param inputs by the reference of the point; those that were never there are missing
 * @param failed measurements that could not be worked out
 * @param state as it was told last; empty if it never was
 */
record ModelState(
        byte @Nullable [] raw,
        ObjectNode values,
        Map<String, Points.Present> inputs,
        Set<String> failed,
        String state) {

    static final String NORMAL = "normal";
    static final String WARNING = "warning";
    static final String FAULT = "fault";
    private static final int MOST_NAMED = 20;

    static ModelState of(byte @Nullable [] raw, Map<String, Points.Present> inputs, String state) {
        return new ModelState(raw, parsed(raw), inputs, Set.of(), state);
    }

    private static ObjectNode parsed(byte @Nullable [] raw) {
        try {
            if (raw != null && Json.MAPPER.readTree(raw) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            // What somebody wrote that is no object counts for nothing, and is replaced.
        }
        return Json.MAPPER.createObjectNode();
    }

    /**
     * What a change makes of it.
     *
     * @param changed names of measurements that have got a value, be it the same
     */
    record Step(ModelState after, Set<String> changed) {}

    /**
     * Takes new values.
     *
     * @param given of points, by their reference
     * @param direct of measurements, by their name
     */
    Step with(Model model, Map<String, Points.Present> given, Map<String, JsonNode> direct) {
        Map<String, Points.Present> known = new HashMap<>(inputs);
        known.putAll(given);
        ObjectNode next = values.deepCopy();
        Set<String> changed = new LinkedHashSet<>();
        Set<String> broken = new LinkedHashSet<>(failed);
        direct.forEach(
                (name, value) -> {
                    next.set(name, value);
                    changed.add(name);
                });
        model.members()
                .forEach(
                        (name, member) -> {
                            if (isTouched(member, given, changed)) {
                                JsonNode value = value(member, known, next);
                                if (value == null) {
                                    broken.add(name);
                                } else {
                                    broken.remove(name);
                                    next.set(name, value);
                                    changed.add(name);
                                }
                            }
                        });
        broken.retainAll(model.members().keySet());
        byte[] text = changed.isEmpty() ? raw : Json.write(next);
        return new Step(new ModelState(text, next, known, broken, state), changed);
    }

    ModelState told(String newState) {
        return new ModelState(raw, values, inputs, failed, newState);
    }

    private static boolean isTouched(
            Member member, Map<String, Points.Present> given, Set<String> changed) {
        return switch (member) {
            case Member.Mapped mapped -> given.containsKey(mapped.point().reference());
            case Member.Aggregate aggregate ->
                    aggregate.sources().stream()
                            .anyMatch(each -> given.containsKey(each.reference()));
            case Member.Computed(Formula formula) ->
                    formula.names().stream().anyMatch(changed::contains);
        };
    }

    /** Null if it cannot be worked out from what is there. */
    private static @Nullable JsonNode value(
            Member member, Map<String, Points.Present> known, ObjectNode values) {
        return switch (member) {
            case Member.Mapped(Member.Point point, double scale, double offset) -> {
                Points.Present present = known.get(point.reference());
                if (present == null) {
                    yield null;
                }
                double number = present.value().number();
                yield Double.isNaN(number)
                        ? Json.MAPPER.getNodeFactory().stringNode(present.value().text())
                        : finite(number * scale + offset);
            }
            case Member.Aggregate(Member.Function function, List<Member.Point> sources) -> {
                List<Double> numbers = new ArrayList<>();
                for (Member.Point each : sources) {
                    Points.Present present = known.get(each.reference());
                    if (present != null && Double.isFinite(present.value().number())) {
                        numbers.add(present.value().number());
                    }
                }
                yield numbers.isEmpty() ? null : finite(function.of(numbers));
            }
            case Member.Computed(Formula formula) -> {
                Map<String, Double> of = new HashMap<>();
                for (String name : formula.names()) {
                    JsonNode value = values.path(name);
                    of.put(
                            name,
                            value.isNumber()
                                    ? value.doubleValue()
                                    : value.isBoolean()
                                            ? (value.booleanValue() ? 1.0 : 0.0)
                                            : Double.NaN);
                }
                yield of.containsValue(Double.NaN) ? null : finite(formula.of(of));
            }
        };
    }

    private static @Nullable JsonNode finite(double number) {
        return Double.isFinite(number) ? number(number) : null;
    }

    /** In its shortest form, without an exponent where people would write none. */
    static JsonNode number(double number) {
        BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        BigDecimal plain = exact.scale() < 0 && Math.abs(number) < 1e15 ? exact.setScale(0) : exact;
        return Json.MAPPER
                .getNodeFactory()
                .numberNode(plain.signum() == 0 ? BigDecimal.ZERO : plain);
    }

    // ---------------------------------------------------------------- how it is

    /**
     * How the model is, and why it is not normal.
     *
     * @param error empty if nothing is wrong
     */
    record Health(String state, String error) {}

    Health health(Model model) {
        List<String> wrong = new ArrayList<>();
        int inputs = 0;
        int gone = 0;
        boolean broken = false;
        for (Map.Entry<String, Member> each : model.members().entrySet()) {
            List<Member.Point> points =
                    switch (each.getValue()) {
                        case Member.Mapped mapped -> List.of(mapped.point());
                        case Member.Aggregate aggregate -> aggregate.sources();
                        case Member.Computed computed -> List.of();
                    };
            for (Member.Point point : points) {
                inputs++;
                Points.Present present = this.inputs.get(point.reference());
                if (present == null) {
                    gone++;
                    wrong.add(each.getKey() + " is missing");
                } else if (present.value().quality() != Quality.GOOD) {
                    Quality quality = present.value().quality();
                    gone += quality == Quality.OFFLINE ? 1 : 0;
                    wrong.add(each.getKey() + " is " + quality.word());
                }
            }
            if (each.getValue() instanceof Member.Computed(Formula formula)
                    && failed.contains(each.getKey())
                    && formula.names().stream().allMatch(values::has)) {
                broken = true;
                wrong.add(each.getKey() + " cannot be computed");
            }
        }
        String state =
                broken || (inputs > 0 && gone == inputs)
                        ? FAULT
                        : wrong.isEmpty() ? NORMAL : WARNING;
        return new Health(
                state, String.join(", ", wrong.subList(0, Math.min(MOST_NAMED, wrong.size()))));
    }

    /** The numbers of some measurements, as alarm rules look at them. */
    Map<String, JsonNode> some(Set<String> names) {
        Map<String, JsonNode> some = new LinkedHashMap<>();
        names.forEach(
                name -> {
                    if (values.has(name)) {
                        some.put(name, values.get(name));
                    }
                });
        return some;
    }
}
