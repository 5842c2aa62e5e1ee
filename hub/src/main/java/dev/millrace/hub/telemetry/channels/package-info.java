/**
 * Device channels: how they are configured, what this hub remembers of them, and whether they are
 * heard of. Knows no values but where they are. Way in: {@link
 * dev.millrace.hub.telemetry.channels.Channels} changes a configuration, {@link
 * dev.millrace.hub.telemetry.channels.ChannelBook} knows all of them.
 */
@NullMarked
package dev.millrace.hub.telemetry.channels;

import org.jspecify.annotations.NullMarked;
