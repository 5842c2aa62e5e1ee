package dev.millrace.hub.pubsub;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.ChannelState;
import dev.millrace.hub.pubsub.channels.ClockRing;
import dev.millrace.hub.pubsub.channels.MessageNames;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.keyspace.Keyspace;

import java.time.Instant;
import java.util.List;

/** How a channel is doing: what lives in it, who reads it, and how far behind each of them is. */
final class ChannelViewApi {
    private final Keyspace keyspace;
    private final AdminApi admin;
    private final PubsubSettings settings;

    ChannelViewApi(Keyspace keyspace, AdminApi admin, PubsubSettings settings) {
        this.keyspace = keyspace;
        this.admin = admin;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.get(settings.pathPrefix() + "/admin/channel/{channel:any}")
                        .withOwnCheck(AdminApi.HOW)
                        .about("A channel: its messages, its subscribers and how far they are.")
                        .gives(View.class)
                        .by(admin.checked(this::view)));
    }

    /**
     * A channel.
     *
     * @param messages that live
     * @param moreMessages whether there are more than were counted
     * @param subscriberCount may be more than are named
     */
    record View(
            String channelID,
            long clock,
            long expiresInSeconds,
            long messages,
            long messageBytes,
            boolean moreMessages,
            long subscriberCount,
            List<Subscriber> subscribers) {}

    /**
     * One who reads.
     *
     * @param cursor the clock of the last message that it has acknowledged
     * @param lag how many were published since; some of them may have expired
     */
    record Subscriber(String subscriberID, long cursor, long lag, String lastSeen) {}

    private Answer view(Request request) {
        String channel = MessageNames.of(request.variable(ChannelGate.CHANNEL), "channelID");
        ChannelState state =
                ChannelState.look(keyspace, channel)
                        .join()
                        .orElseThrow(() -> new Refused.Idle().exception());
        return PubsubErrors.json(
                200,
                new View(
                        channel,
                        state.clock(),
                        state.secondsLeft(),
                        state.messages(),
                        state.bytes(),
                        state.atLeast(),
                        state.subscribers(),
                        state.seen().stream().map(seen -> subscriber(state, seen)).toList()));
    }

    private static Subscriber subscriber(ChannelState state, ChannelState.Seen seen) {
        return new Subscriber(
                seen.subscriber(),
                seen.cursor(),
                ClockRing.distance(seen.cursor(), state.clock()),
                Instant.ofEpochMilli(seen.atMillis()).toString());
    }
}
