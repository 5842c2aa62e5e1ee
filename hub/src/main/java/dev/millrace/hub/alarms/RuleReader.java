package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmsLayouts;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a rule from the JSON of a client, and says what is wrong with it. */
final class RuleReader {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final int LONGEST_TEXT = 4096;
    private static final int LONGEST_FIELD = 255;
    private static final int LONGEST_NUMBER = 1000;

    /** {@code comsrv:1001:T:20 > 85}: source and field are split at the last colon. */
    private static final Pattern CONDITION =
            Pattern.compile("\\s*(\\S+)[:.]([^:.\\s]+)\\s+(\\S+)\\s+(\\S+)\\s*");

    private RuleReader() {}

    /** Whether a rule may have this id. */
    static Done<String> id(String id) {
        if (AlarmsLayouts.RESERVED.contains(id)) {
            return new Done.Not<>(
                    Refused.of(
                            EmsCode.RESERVED_ID,
                            "The id %s is reserved, because of keys or paths of that name."
                                    .formatted(id)));
        }
        if (!ID.matcher(id).matches()) {
            return invalid(
                    "An id has 1 to 128 letters, digits and _ . -, beginning with a letter or"
                            + " digit.");
        }
        return new Done.With<>(id);
    }

    /**
     * Reads it.
     *
     * @param json its members; those that a rule does not have are left alone
     */
    static Done<AlarmRule> rule(String id, ObjectNode json) {
        Map<String, String> fields = new HashMap<>();
        JsonNode condition = json.get("condition");
        if (condition != null && condition.isString()) {
            Matcher matcher = CONDITION.matcher(condition.asString());
            if (!matcher.matches()) {
                return new Done.Not<>(
                        Refused.of(
                                EmsCode.INVALID_CONDITION,
                                "condition must be such as comsrv:1001:T:20 > 85."));
            }
            fields.put(AlarmRule.SOURCE_KEY, matcher.group(1));
            fields.put(AlarmRule.FIELD, matcher.group(2));
            fields.put(AlarmRule.OPERATOR, matcher.group(3));
            fields.put(AlarmRule.THRESHOLD, matcher.group(4));
        }
        for (String name : AlarmRule.FIELDS) {
            JsonNode value = json.get(name);
            if (value != null && !value.isNull()) {
                if (value.isNumber() && !Double.isFinite(value.doubleValue())) {
                    return invalid(name + " is too large a number.");
                }
                if (value.isNumber() && value.asString().length() > LONGEST_NUMBER) {
                    return invalid(name + " is too long a number.");
                }
                String text = text(value);
                if (text.length() > LONGEST_TEXT) {
                    return invalid(name + " is longer than 4096 characters.");
                }
                fields.put(name, text);
            }
        }
        return checked(new AlarmRule(id, fields));
    }

    private static Done<AlarmRule> checked(AlarmRule rule) {
        String source = rule.sourceKey();
        String field = rule.field();
        if (source == null || field == null) {
            return invalid((source == null ? "source_key" : "field") + " is missing.");
        }
        if (!Sources.isKnown(source)) {
            return invalid(
                    "source_key must be comsrv:{channel}:T, S, C or A, or model:{id}:measurement.");
        }
        if (field.isEmpty() || field.contains(":") || field.length() > LONGEST_FIELD) {
            return invalid("field must be 1 to 255 characters without a colon.");
        }
        if (field.startsWith("_")) {
            return invalid("field must not begin with _: such fields are not points.");
        }
        String level = rule.text(AlarmRule.LEVEL);
        if (level != null && Level.of(level).isEmpty()) {
            return invalid("alarm_level must be Critical, Major, Minor, Warning or Info.");
        }
        String enabled = rule.text(AlarmRule.ENABLED);
        if (enabled != null && !enabled.equals("true") && !enabled.equals("false")) {
            return invalid("enabled must be true or false.");
        }
        if (rule.id().equals(rule.suppressedBy())) {
            return invalid("suppressed_by must be another rule.");
        }
        String parent = rule.suppressedBy();
        if (parent != null && !parent.isEmpty() && !ID.matcher(parent).matches()) {
            return invalid("suppressed_by must be the id of a rule.");
        }
        return switch (Terms.of(rule)) {
            case Terms.Valid valid ->
                    new Done.With<>(
                            level == null ? rule : rule.with(AlarmRule.LEVEL, rule.level().word()));
            case Terms.Invalid(String reason) -> invalid(reason + ".");
        };
    }

    /** A number in its shortest form; what came as text stays as it is. */
    private static String text(JsonNode value) {
        if (value.isNumber()) {
            BigDecimal number = value.decimalValue();
            return number.signum() == 0 ? "0" : plain(number.stripTrailingZeros());
        }
        return value.isString() ? value.asString() : value.toString();
    }

    private static String plain(BigDecimal number) {
        return Math.abs(number.scale()) > 300 ? number.toString() : number.toPlainString();
    }

    static <T> Done<T> invalid(String sentence) {
        return new Done.Not<>(Refused.of(EmsCode.VALIDATION_ERROR, sentence));
    }
}
