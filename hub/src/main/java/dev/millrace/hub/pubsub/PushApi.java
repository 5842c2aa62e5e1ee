package dev.millrace.hub.pubsub;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.Stream;
import dev.millrace.hub.http.Talk;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;
import dev.millrace.hub.pubsub.channels.Linked;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.PushLine;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.channels.RefusedException;
import dev.millrace.hub.pubsub.channels.Wakes;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.keyspace.redis.outcome.RedisException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Subscribers that do not ask each time: server-sent events and WebSockets, over the same cursors
 * as polls. Whoever reads by events acknowledges with the usual call, or by coming back: a browser
 * then sends the handle of the last event. Over a WebSocket {@code {"ack":"…"}} does it. Somebody
 * who may only look acknowledges nothing: a handle then only says where to go on.
 */
final class PushApi {
    private final PubsubStore store;
    private final Wakes wakes;
    private final PubsubService service;
    private final ChannelGate gate;
    private final PubsubSettings settings;

    PushApi(
            PubsubStore store,
            Wakes wakes,
            PubsubService service,
            ChannelGate gate,
            PubsubSettings settings) {
        this.store = store;
        this.wakes = wakes;
        this.service = service;
        this.gate = gate;
        this.settings = settings;
    }

    List<Route> routes() {
        String subscription = settings.pathPrefix() + "/channel/{channel:any}/subscription";
        return List.of(
                Route.get(subscription + "/sse/{subscriber:any}")
                        .withOwnCheck(PubsubApi.CHECK)
                        .about(
                                "The messages of a subscriber as they come, as server-sent events;"
                                        + " keeps it alive, unless a viewer listens.")
                        .givesType("text/event-stream")
                        .streamingBy(PubsubErrors.toldStreaming(this::events)),
                Route.get(subscription + "/ws/{subscriber:any}")
                        .withOwnCheck(PubsubApi.CHECK)
                        .about("The same over a WebSocket, which also takes acknowledgements.")
                        .talkingBy(PubsubErrors.toldTalking(this::talk)));
    }

    private void events(Request request, Stream stream) {
        Admitted reader = admitted(request);
        String channel = request.variable(ChannelGate.CHANNEL);
        String subscriber = PubsubApi.subscriber(request);
        mustExist(channel, subscriber, reader);
        OptionalLong behind =
                request.header("Last-Event-ID")
                        .filter(handle -> !handle.isEmpty())
                        .map(handle -> reached(channel, subscriber, reader, handle))
                        .orElse(OptionalLong.empty());
        stream.begin("text/event-stream", List.of(new Header("Cache-Control", "no-store")));
        Push push = push(channel, subscriber, reader, new SseLine(stream));
        push.behind(behind);
        stream.whileThere(
                () -> {
                    push.begin();
                    stream.whenStopping(push::stop);
                },
                push::close);
    }

    /** Acknowledges if the caller may; else the messages up to there are only not sent again. */
    private OptionalLong reached(
            String channel, String subscriber, Admitted reader, String handle) {
        if (!reader.acts()) {
            return service.place(channel, subscriber, handle);
        }
        joined(service.acknowledge(channel, subscriber, reader.rules(), handle)::join);
        return OptionalLong.empty();
    }

    private void talk(Request request, Talk talk) {
        Admitted reader = admitted(request);
        String channel = request.variable(ChannelGate.CHANNEL);
        String subscriber = PubsubApi.subscriber(request);
        mustExist(channel, subscriber, reader);
        Push push = push(channel, subscriber, reader, new TalkLine(talk));
        talk.whileThere(
                () -> {
                    push.begin();
                    talk.whenStopping(push::stop);
                    talk.whenHeard(text -> heard(channel, subscriber, reader, talk, text));
                },
                push::close);
    }

    private Push push(String channel, String subscriber, Admitted reader, PushLine line) {
        return new Push(store, wakes, service, channel, subscriber, reader, line);
    }

    private Admitted admitted(Request request) {
        return joined(gate.admit(request, Role.VIEWER).toCompletableFuture()::join);
    }

    private void mustExist(String channel, String subscriber, Admitted reader) {
        if (joined(store.fetch(channel, subscriber, reader, 1, OptionalLong.empty())::join)
                .isEmpty()) {
            throw PubsubService.noSubscriber();
        }
    }

    /** What a future gives, or why not, as if it had been asked here. */
    private static <T> T joined(Supplier<T> future) {
        try {
            return future.get();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    private void heard(String channel, String subscriber, Admitted reader, Talk talk, String text) {
        try {
            if (!reader.acts()) {
                throw new Refused.OnlyLooks().exception();
            }
            JsonNode frame = Json.MAPPER.readTree(text);
            JsonNode handle = frame.get("ack");
            if (handle == null || !handle.isString()) {
                throw new Refused.Missing("ack").exception();
            }
            Linked.watch(
                    service.acknowledge(channel, subscriber, reader.rules(), handle.stringValue()),
                    (done, failure) -> {
                        if (failure != null) {
                            talk.say(error(failure));
                        }
                    });
        } catch (JacksonException e) {
            talk.say(error(new Refused.Missing("ack").exception()));
        } catch (RefusedException e) {
            talk.say(error(e));
        }
    }

    private static String error(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        String sentence =
                cause instanceof RefusedException || cause instanceof RedisException
                        ? String.valueOf(cause.getMessage())
                        : "It could not be acknowledged; try again.";
        return Json.MAPPER.writeValueAsString(Map.of("error", sentence));
    }
}
