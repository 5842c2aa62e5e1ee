package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.pubsub.config.ChannelRules;

/**
 * Somebody who was let in to a channel.
 *
 * @param rules what applies to the channel
 * @param acts whether this one may change something there. Else it only looks: its reading
 *     acknowledges nothing, moves no cursor, and neither renews the life of a subscriber nor counts
 *     as a sign of life of it, so that nobody can tell from the channel that it was there
 */
public record Admitted(ChannelRules rules, boolean acts) {}
