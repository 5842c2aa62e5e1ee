package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Level;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several limits of one point in one rule, as older clients send them: {@code high_high}, {@code
 * high}, {@code low}, {@code low_low}, or {@code timeout} with {@code warning}, {@code major} and
 * {@code critical} seconds. Each becomes a simple rule of its own.
 */
final class LimitSets {
    private static final List<Limit> LIMITS =
            List.of(
                    new Limit("high_high", "hh", ">", Level.CRITICAL),
                    new Limit("high", "h", ">", Level.MAJOR),
                    new Limit("low", "l", "<", Level.MAJOR),
                    new Limit("low_low", "ll", "<", Level.CRITICAL));
    private static final List<Limit> TIMES =
            List.of(
                    new Limit("warning", "w", "", Level.WARNING),
                    new Limit("major", "m", "", Level.MAJOR),
                    new Limit("critical", "c", "", Level.CRITICAL));

    /** No value is above it: only missing data raises such an alarm. */
    private static final double NEVER = Double.MAX_VALUE;

    private record Limit(String name, String suffix, String operator, Level level) {}

    private LimitSets() {}

    /** The simple rules of a set by their ids; empty if it is a simple rule itself. */
    static Map<String, ObjectNode> expanded(String id, ObjectNode json) {
        Map<String, ObjectNode> rules = new LinkedHashMap<>();
        ObjectNode limits = json.get("thresholds") instanceof ObjectNode object ? object : json;
        for (Limit each : LIMITS) {
            value(limits, each)
                    .ifPresent(
                            value -> {
                                ObjectNode rule = rule(json, each);
                                rule.put(AlarmRule.OPERATOR, each.operator);
                                rule.set(AlarmRule.THRESHOLD, value);
                                rules.put(id + "." + each.suffix, rule);
                            });
        }
        if (json.get("timeout") instanceof ObjectNode times) {
            for (Limit each : TIMES) {
                value(times, each)
                        .ifPresent(
                                value -> {
                                    ObjectNode rule = rule(json, each);
                                    rule.put(AlarmRule.THRESHOLD, Double.toString(NEVER));
                                    rule.set("no_data_after", value);
                                    rules.put(id + "." + each.suffix, rule);
                                });
            }
        }
        return json.has(AlarmRule.THRESHOLD) ? Map.of() : rules;
    }

    private static Optional<JsonNode> value(ObjectNode limits, Limit limit) {
        return Optional.ofNullable(limits.get(limit.name)).filter(each -> !each.isNull());
    }

    private static ObjectNode rule(ObjectNode json, Limit limit) {
        ObjectNode rule = json.deepCopy();
        rule.remove("timeout");
        rule.remove("thresholds");
        LIMITS.forEach(each -> rule.remove(each.name));
        rule.put(AlarmRule.LEVEL, limit.level.word());
        return rule;
    }
}
