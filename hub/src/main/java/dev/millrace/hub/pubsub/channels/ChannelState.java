package dev.millrace.hub.pubsub.channels;

import static dev.millrace.hub.pubsub.channels.PubsubStore.number;
import static dev.millrace.hub.pubsub.channels.PubsubStore.prefix;
import static dev.millrace.hub.pubsub.channels.PubsubStore.text;
import static dev.millrace.hub.pubsub.channels.PubsubStore.textOf;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Script;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * How a channel is doing.
 *
 * @param messages that live; {@code atLeast} says whether there may be more of them
 * @param subscribers how many there are; the first of them are in {@code seen}
 */
public record ChannelState(
        long clock,
        long secondsLeft,
        long messages,
        long bytes,
        boolean atLeast,
        long subscribers,
        List<Seen> seen) {

    private static final Script LOOK = Script.reading(ChannelState.class, "look");
    private static final int MOST_COUNTED = 4096;
    private static final int MOST_NAMED = 1000;

    /** A subscriber, where it is and when it was seen. */
    public record Seen(String subscriber, long cursor, long atMillis) {}

    /** Empty if there is no such channel. */
    public static CompletableFuture<Optional<ChannelState>> look(
            Keyspace keyspace, String channel) {
        return keyspace.ask(
                        LOOK,
                        List.of(PubsubLayouts.CLOCK.at(channel), PubsubLayouts.SEEN.at(channel)),
                        prefix(PubsubLayouts.MESSAGE.at(channel, "0")),
                        prefix(PubsubLayouts.CURSOR.at(channel, "0")),
                        text(MOST_COUNTED),
                        text(MOST_NAMED))
                .thenApply(
                        reply ->
                                reply instanceof List<?> parts
                                        ? Optional.of(of(parts))
                                        : Optional.empty());
    }

    private static ChannelState of(List<?> parts) {
        List<Seen> seen = new ArrayList<>();
        for (int i = 6; i + 2 < parts.size(); i += 3) {
            // Without a cursor it has expired, or was deleted by another server.
            if (parts.get(i + 1) instanceof byte[] cursor) {
                seen.add(
                        new Seen(
                                String.valueOf(textOf(parts.get(i))),
                                number(cursor),
                                number(parts.get(i + 2))));
            }
        }
        return new ChannelState(
                number(parts.get(0)),
                (Long) parts.get(1),
                (Long) parts.get(2),
                (Long) parts.get(3),
                (Long) parts.get(4) == 1,
                seen.size() < MOST_NAMED ? seen.size() : (Long) parts.get(5),
                seen);
    }
}
