package dev.millrace.hub.alarms;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * When to raise an alarm. Somebody may write one by hand with no more fields than these.
 *
 * @param sourceKey the key it watches
 * @param field the field of that key
 * @param threshold a decimal number as it was written
 */
record AlarmRule(
        String id,
        @JsonProperty("source_key") @Nullable String sourceKey,
        @Nullable String field,
        @Nullable String threshold,
        @Nullable String operator) {

    String home() {
        return Sources.home(sourceKey);
    }
}
