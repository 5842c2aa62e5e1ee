package dev.millrace.hub.alarms.logic;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * Something that happened to an alarm or its rule, as the list of events tells it.
 *
 * @param value that was looked at; missing where none was
 * @param more such as who did it
 */
public record AlarmEvent(Type type, @Nullable String value, Map<String, String> more) {

    /** What happened. */
    public enum Type {
        TRIGGERED("triggered"),
        CLEARED("cleared"),
        CLEARED_BY_DISABLE("cleared_by_disable"),
        ACKNOWLEDGED("acknowledged"),
        RE_ALARMED("re_alarmed"),
        SHELVED("shelved"),
        UNSHELVED("unshelved"),
        SUPPRESSED("suppressed"),
        ESCALATED("escalated"),
        RESET("reset"),
        NO_DATA("no_data"),
        DATA_RESTORED("data_restored"),
        RULE_CREATED("rule_created"),
        RULE_UPDATED("rule_updated"),
        RULE_DELETED("rule_deleted");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public AlarmEvent {
        more = Map.copyOf(more);
    }

    public static AlarmEvent of(Type type) {
        return new AlarmEvent(type, null, Map.of());
    }
}
