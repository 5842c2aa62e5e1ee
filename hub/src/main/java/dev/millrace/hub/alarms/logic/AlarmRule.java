package dev.millrace.hub.alarms.logic;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When to raise an alarm: the fields of its hash, as they were written by us or by hand. Defaults
 * are not written into it; they hold when it is evaluated, see {@link Terms}.
 */
public record AlarmRule(String id, Map<String, String> fields) {
    public static final String SOURCE_KEY = "source_key";
    public static final String FIELD = "field";
    public static final String THRESHOLD = "threshold";
    public static final String THRESHOLD2 = "threshold2";
    public static final String OPERATOR = "operator";
    public static final String ENABLED = "enabled";
    public static final String LEVEL = "alarm_level";
    public static final String TITLE = "alarm_title";
    public static final String CREATED_AT = "created_at";
    public static final String UPDATED_AT = "updated_at";
    public static final String CATEGORY = "category";
    public static final String DESCRIPTION = "description";
    public static final String SUPPRESSED_BY = "suppressed_by";

    /** Every field of the hash that is ours; what others add beside them is left alone. */
    public static final List<String> FIELDS =
            List.of(
                    SOURCE_KEY,
                    FIELD,
                    THRESHOLD,
                    OPERATOR,
                    ENABLED,
                    LEVEL,
                    TITLE,
                    CREATED_AT,
                    UPDATED_AT,
                    "clear_threshold",
                    "deadband",
                    "on_delay",
                    "off_delay",
                    "repeat_count",
                    "latched",
                    "ack_required",
                    "no_data_after",
                    "on_bad_quality",
                    THRESHOLD2,
                    "schedule",
                    SUPPRESSED_BY,
                    CATEGORY,
                    "tags",
                    DESCRIPTION,
                    "recommended_action",
                    "re_alarm_after",
                    "escalate");

    public AlarmRule {
        fields = Map.copyOf(fields);
    }

    public @Nullable String text(String field) {
        return fields.get(field);
    }

    public @Nullable String sourceKey() {
        return fields.get(SOURCE_KEY);
    }

    public @Nullable String field() {
        return fields.get(FIELD);
    }

    /** Whether it says what it watches. */
    public boolean watches() {
        return sourceKey() != null && field() != null;
    }

    /** Only the text {@code false} disables. */
    public boolean isEnabled() {
        return !"false".equals(fields.get(ENABLED));
    }

    public String operatorWord() {
        return fields.getOrDefault(OPERATOR, Operator.ABOVE.word());
    }

    /** What others wrote that is none counts as the default. */
    public Level level() {
        return Optional.ofNullable(fields.get(LEVEL)).flatMap(Level::of).orElse(Level.WARNING);
    }

    public String title() {
        String given = fields.get(TITLE);
        return given == null ? "Alarm for {source_key}.{field}" : given;
    }

    /** The rule whose alarm keeps this one silent. */
    public @Nullable String suppressedBy() {
        String parent = fields.get(SUPPRESSED_BY);
        return parent == null || parent.isEmpty() ? null : parent;
    }

    /** Who the rule and its alarm live with. */
    public String home() {
        return Sources.home(sourceKey());
    }

    public AlarmRule with(String field, String value) {
        Map<String, String> all = new HashMap<>(fields);
        all.put(field, value);
        return new AlarmRule(id, all);
    }

    /** Whether both watch the same. */
    public boolean watchesLike(AlarmRule other) {
        return String.valueOf(sourceKey()).equals(String.valueOf(other.sourceKey()))
                && String.valueOf(field()).equals(String.valueOf(other.field()));
    }
}
