package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Numbers;
import dev.millrace.hub.http.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;

/** A rule as JSON: its fields as what they stand for, with the defaults of what it does not say. */
public final class RuleText {
    private static final Set<String> NUMBERS =
            Set.of(
                    AlarmRule.THRESHOLD,
                    AlarmRule.THRESHOLD2,
                    "clear_threshold",
                    "deadband",
                    "on_delay",
                    "off_delay",
                    "repeat_count",
                    "no_data_after",
                    "re_alarm_after",
                    AlarmRule.CREATED_AT,
                    AlarmRule.UPDATED_AT);
    private static final Set<String> FLAGS = Set.of(AlarmRule.ENABLED, "latched", "ack_required");
    private static final Set<String> JSON = Set.of("schedule", "escalate", "tags");

    private RuleText() {}

    /** What is kept beside the hash, for a rule of which there is no more. */
    static String json(AlarmRule rule) {
        return of(rule, Json.MAPPER.createObjectNode()).toString();
    }

    /**
     * All of a rule.
     *
     * @param more members that were submitted and that the hash does not have
     */
    public static ObjectNode of(AlarmRule rule, ObjectNode more) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("id", rule.id());
        for (String name : AlarmRule.FIELDS) {
            String text = rule.text(name);
            if (text != null) {
                json.set(name, member(name, text));
            }
        }
        json.put(AlarmRule.OPERATOR, rule.operatorWord());
        json.put(AlarmRule.ENABLED, rule.isEnabled());
        json.put(AlarmRule.LEVEL, rule.level().word());
        json.put(AlarmRule.TITLE, rule.title());
        for (Map.Entry<String, JsonNode> each : more.properties()) {
            if (!AlarmRule.FIELDS.contains(each.getKey()) && !each.getKey().equals("id")) {
                json.set(each.getKey(), each.getValue());
            }
        }
        return json;
    }

    private static JsonNode member(String name, String text) {
        var nodes = Json.MAPPER.getNodeFactory();
        if (NUMBERS.contains(name) && !Double.isNaN(Numbers.of(text))) {
            return nodes.numberNode(new BigDecimal(text));
        } else if (FLAGS.contains(name) && (text.equals("true") || text.equals("false"))) {
            return nodes.booleanNode(text.equals("true"));
        } else if (JSON.contains(name)) {
            try {
                return Json.MAPPER.readTree(text);
            } catch (JacksonException e) {
                return nodes.stringNode(text);
            }
        }
        return nodes.stringNode(text);
    }
}
