package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmEvent;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.AlarmState;
import dev.millrace.hub.alarms.logic.Numbers;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;

/** An event as JSON, the same in the list and in the feed. */
final class EventText {
    private EventText() {}

    /** The members of an event, without its number. */
    static ObjectNode of(AlarmEvent event, AlarmRule rule, Alarm after, long now) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("type", event.type().word());
        json.put("rule_id", after.ruleId());
        number(json, "value", event.value());
        number(json, "threshold", rule.text(AlarmRule.THRESHOLD));
        json.put("timestamp", Long.toString(Math.floorDiv(now, 1000)));
        json.put("level", after.text(AlarmRule.LEVEL, rule.level().word()));
        json.put("title", after.text(Alarm.RENDERED, rule.title()));
        text(json, "source_key", rule.sourceKey());
        text(json, "field", rule.field());
        json.put("operator", rule.operatorWord());
        text(json, "category", rule.text(AlarmRule.CATEGORY));
        if (after.exists()) {
            json.put("active", after.isActive());
            json.put("state", after.text(Alarm.STATE, state(rule, after)));
            json.put("count", after.number(Alarm.COUNT));
        }
        event.more()
                .forEach(
                        (name, value) -> {
                            if (name.equals("initial")) {
                                json.put(name, true);
                            } else {
                                json.put(name, value);
                            }
                        });
        return json;
    }

    private static String state(AlarmRule rule, Alarm alarm) {
        return AlarmState.of(alarm, rule.isEnabled(), Terms.of(rule).acknowledging()).word();
    }

    private static void text(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    /** A number as it was written, if it is one. */
    static void number(ObjectNode json, String name, @Nullable String text) {
        if (text == null) {
            return;
        }
        if (Double.isNaN(Numbers.of(text))) {
            json.put(name, text);
        } else {
            json.put(name, new BigDecimal(text));
        }
    }
}
