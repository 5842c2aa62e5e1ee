package dev.millrace.hub.notifications;

import com.fasterxml.jackson.annotation.JsonFormat;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A message for people, to be delivered to whoever subscribed. */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
record Notification(
        String id,
        String slug,
        @Nullable String sender,
        @Nullable String status,
        @Nullable String severity,
        @Nullable List<String> labels,
        long created,
        long modified) {}
