package dev.millrace.hub.alarms;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * The one alarm of an alarm rule, raised or not.
 *
 * @param sourceKey the key that its rule watched when it was raised; missing where somebody raised
 *     it by hand
 */
record Alarm(
        @JsonProperty("rule_id") String ruleId,
        @Nullable String status,
        @JsonProperty("trigger_value") @Nullable String triggerValue,
        @JsonProperty("source_key") @Nullable String sourceKey) {

    boolean isActive() {
        return "active".equals(status);
    }

    String home() {
        return Sources.home(sourceKey);
    }
}
