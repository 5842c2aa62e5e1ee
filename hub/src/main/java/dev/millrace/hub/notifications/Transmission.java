package dev.millrace.hub.notifications;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * The delivery of one notification to one address, with all its attempts.
 *
 * @param notification a copy, taken when it was sent
 * @param resendCount how often it was sent again
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
record Transmission(
        String id,
        @Nullable Notification notification,
        @Nullable String status,
        @JsonProperty("resendcount") int resendCount,
        long created,
        long modified) {

    /** Of its notification, with which it lives. */
    @Nullable String slug() {
        return notification == null ? null : notification.slug();
    }
}
