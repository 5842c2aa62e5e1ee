package dev.millrace.hub.notifications;

import com.fasterxml.jackson.annotation.JsonFormat;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Who receives which categories and labels. */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
record Subscription(
        String id,
        String slug,
        @Nullable String receiver,
        @Nullable List<String> subscribedCategories,
        @Nullable List<String> subscribedLabels) {}
