package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Numbers;
import dev.millrace.hub.ems.IsoText;
import dev.millrace.hub.http.Json;

import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;

/** An alarm as clients read it: the fields of its hash, with numbers, times and truths as such. */
final class AlarmView {
    private static final Set<String> TIMES =
            Set.of(
                    Alarm.TRIGGERED_AT,
                    Alarm.UPDATED_AT,
                    Alarm.CLEARED_AT,
                    Alarm.ACK_TIME,
                    Alarm.SHELVED_UNTIL,
                    Alarm.PENDING_SINCE,
                    Alarm.CLEARING_SINCE);
    private static final Set<String> NUMBERS =
            Set.of(
                    Alarm.TRIGGER_VALUE,
                    Alarm.CURRENT_VALUE,
                    Alarm.CLEAR_VALUE,
                    AlarmRule.THRESHOLD,
                    Alarm.COUNT,
                    Alarm.MATCH_COUNT);

    private AlarmView() {}

    static ObjectNode of(Alarm alarm) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("id", alarm.ruleId());
        json.put(Alarm.RULE_ID, alarm.ruleId());
        for (String name : Alarm.FIELDS) {
            String text = alarm.text(name);
            boolean internal = name.endsWith("_ms") || name.equals("raised_by_no_data");
            if (text != null && !internal) {
                put(json, name, text);
            }
        }
        json.put(Alarm.ACKNOWLEDGED, alarm.isAcknowledged());
        return json;
    }

    /** Seconds since 1970 as clients read them. */
    static String iso(double seconds) {
        return IsoText.of(Instant.ofEpochMilli((long) (seconds * 1000)));
    }

    private static void put(ObjectNode json, String name, String text) {
        double number = Numbers.of(text);
        if (Double.isNaN(number)) {
            json.put(name, text);
        } else if (TIMES.contains(name)) {
            json.put(name, iso(number));
        } else if (NUMBERS.contains(name)) {
            json.put(name, new BigDecimal(text));
        } else {
            json.put(name, text);
        }
    }
}
