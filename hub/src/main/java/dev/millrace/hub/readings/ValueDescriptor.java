package dev.millrace.hub.readings;

import com.fasterxml.jackson.annotation.JsonFormat;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What readings of one name are. */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
record ValueDescriptor(
        String id,
        String name,
        @Nullable String type,
        @Nullable String uomLabel,
        @Nullable List<String> labels) {}
