package dev.millrace.hub.telemetry;

import org.jspecify.annotations.Nullable;

/** How a device channel is reached. */
record ChannelConfiguration(int id, @Nullable String protocol) {}
