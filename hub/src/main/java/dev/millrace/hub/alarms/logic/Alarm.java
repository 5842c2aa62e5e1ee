package dev.millrace.hub.alarms.logic;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * The one alarm of a rule: the fields of its hash, as they were written by us or by hand. An alarm
 * that was never raised has none.
 */
public record Alarm(String ruleId, Map<String, String> fields) {
    public static final String STATUS = "status";
    public static final String STATE = "state";
    public static final String RULE_ID = "rule_id";
    public static final String RENDERED = "title";
    public static final String TRIGGER_VALUE = "trigger_value";
    public static final String CURRENT_VALUE = "current_value";
    public static final String TRIGGERED_AT = "triggered_at";
    public static final String UPDATED_AT = "updated_at";
    public static final String CLEAR_VALUE = "clear_value";
    public static final String CLEARED_AT = "cleared_at";
    public static final String CLEAR_REASON = "clear_reason";
    public static final String ACKNOWLEDGED = "acknowledged";
    public static final String ACK_TIME = "ack_time";
    public static final String ACKNOWLEDGED_BY = "acknowledged_by";
    public static final String ACK_NOTE = "ack_note";
    public static final String COUNT = "count";
    public static final String SHELVED_UNTIL = "shelved_until";
    public static final String SHELVED_BY = "shelved_by";
    public static final String SHELVE_REASON = "shelve_reason";
    public static final String PENDING_SINCE = "pending_since";
    public static final String CLEARING_SINCE = "clearing_since";
    public static final String MATCH_COUNT = "match_count";

    /** What began it all, when it was raised the last time. */
    public static final String CAUSE = "cause";

    /** The execution of a rule that raised it, if one did. */
    public static final String CAUSED_BY = "caused_by";

    /** Of the two above in milliseconds, for delays of less than a second. */
    static final String PENDING_MS = "pending_since_ms";

    static final String CLEARING_MS = "clearing_since_ms";

    /** 1 while its rule is kept silent by another one that is raised. */
    static final String SUPPRESSED = "suppressed";

    /** Since when, in ms, nothing came that should have. */
    public static final String NO_DATA_SINCE = "no_data_since_ms";

    /** 1 while missing data is all that raises it. */
    static final String BY_NO_DATA = "raised_by_no_data";

    /** Until when, in ms, an alarm that was cleared by hand stays cleared. */
    static final String HOLDOFF_MS = "holdoff_until_ms";

    /** How many steps of its escalation were done. */
    static final String ESCALATED = "escalated";

    /** The last value and its time in ms, for rules that look at changes. */
    static final String LAST_VALUE = "last_value";

    static final String LAST_MS = "last_value_ms";

    public static final String ACTIVE = "active";
    public static final String CLEARED = "cleared";

    /** Said in place of a time by one that is shelved until it ends. */
    static final String ONCE = "cleared";

    /** Every field of the hash that is ours; what others add beside them is left alone. */
    public static final List<String> FIELDS =
            List.of(
                    STATUS,
                    AlarmRule.SOURCE_KEY,
                    AlarmRule.FIELD,
                    AlarmRule.THRESHOLD,
                    AlarmRule.OPERATOR,
                    AlarmRule.LEVEL,
                    AlarmRule.TITLE,
                    AlarmRule.CATEGORY,
                    RENDERED,
                    TRIGGER_VALUE,
                    CURRENT_VALUE,
                    TRIGGERED_AT,
                    UPDATED_AT,
                    CLEAR_VALUE,
                    CLEARED_AT,
                    CLEAR_REASON,
                    ACKNOWLEDGED,
                    ACK_TIME,
                    ACKNOWLEDGED_BY,
                    ACK_NOTE,
                    COUNT,
                    STATE,
                    SHELVED_UNTIL,
                    SHELVED_BY,
                    SHELVE_REASON,
                    PENDING_SINCE,
                    PENDING_MS,
                    CLEARING_SINCE,
                    CLEARING_MS,
                    MATCH_COUNT,
                    CAUSE,
                    CAUSED_BY,
                    SUPPRESSED,
                    NO_DATA_SINCE,
                    BY_NO_DATA,
                    HOLDOFF_MS,
                    ESCALATED,
                    LAST_VALUE,
                    LAST_MS);

    /** While one of these is there, a value may do more than compare. */
    private static final List<String> UNSETTLED =
            List.of(
                    PENDING_SINCE,
                    CLEARING_SINCE,
                    MATCH_COUNT,
                    SUPPRESSED,
                    NO_DATA_SINCE,
                    HOLDOFF_MS);

    public Alarm {
        fields = Map.copyOf(fields);
    }

    /** Of a rule that never raised one. */
    public static Alarm none(String ruleId) {
        return new Alarm(ruleId, Map.of());
    }

    /** Whether there is one. */
    public boolean exists() {
        return !fields.isEmpty();
    }

    public @Nullable String text(String field) {
        return fields.get(field);
    }

    public String text(String field, String otherwise) {
        return fields.getOrDefault(field, otherwise);
    }

    public boolean has(String field) {
        return fields.containsKey(field);
    }

    /** A whole number; 0 where there is none. */
    public long number(String field) {
        String text = fields.get(field);
        double number = text == null ? Double.NaN : Numbers.of(text);
        return Double.isNaN(number) ? 0 : (long) number;
    }

    public boolean isActive() {
        return ACTIVE.equals(fields.get(STATUS));
    }

    public boolean isAcknowledged() {
        return isYes(fields.get(ACKNOWLEDGED));
    }

    private static boolean isYes(@Nullable String text) {
        return "1".equals(text) || "true".equals(text);
    }

    /** It ended, and an acknowledgement was asked for and never came. */
    boolean waitsForAcknowledgement() {
        return !isActive() && has(ACKNOWLEDGED) && !isAcknowledged();
    }

    public boolean isShelved() {
        return has(SHELVED_UNTIL);
    }

    boolean isShelvedOnce() {
        return ONCE.equals(fields.get(SHELVED_UNTIL));
    }

    /** Whether nothing is under way: the next value is compared, and that is all. */
    public boolean isSettled() {
        for (String each : UNSETTLED) {
            if (fields.containsKey(each)) {
                return false;
            }
        }
        return true;
    }

    /** Since when a delay runs, in ms; by hand it may have been written in seconds. */
    long since(String millisField, String secondsField) {
        return has(millisField) ? number(millisField) : number(secondsField) * 1000;
    }

    public @Nullable String sourceKey() {
        return fields.get(AlarmRule.SOURCE_KEY);
    }

    /** Who it lives with, as far as it says so itself. */
    public String home() {
        return Sources.home(sourceKey());
    }
}
