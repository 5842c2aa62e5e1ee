package dev.millrace.hub.pubsub;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;
import dev.millrace.hub.pubsub.channels.Linked;
import dev.millrace.hub.pubsub.channels.MessageNames;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.channels.Starts;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.pubsub.config.TimeText;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Channels as clients of the fifth key description know them: publish, subscribe, fetch,
 * acknowledge. The checks come in one order, which clients may rely on: the channel, who asks, the
 * other ids, the parameters, the body.
 */
final class PubsubApi {
    private static final int USUAL_MOST = 64;

    /** The variable of every route of a subscriber. */
    static final String SUBSCRIBER = "subscriber";

    static final String CHECK = "the channel's jwt rules, or a token of the hub";

    private final PubsubService service;
    private final ChannelGate gate;
    private final PubsubSettings settings;

    PubsubApi(PubsubService service, ChannelGate gate, PubsubSettings settings) {
        this.service = service;
        this.gate = gate;
        this.settings = settings;
    }

    List<Route> routes() {
        String channel = settings.pathPrefix() + "/channel/{channel:any}";
        String polling = channel + "/subscription/polling/{subscriber:any}";
        return List.of(
                Route.put(channel + "/message/{message:any}")
                        .withOwnCheck(CHECK)
                        .about("Publishes a message; one with the same id that lives is kept.")
                        .maxBody(settings.maxMessageBytes())
                        .promptlyBy(admitted(Role.OPERATOR, this::publish)),
                Route.put(polling)
                        .withOwnCheck(CHECK)
                        .about("Makes a subscriber, or renews the one that is there.")
                        .parameter("from", Starts.ABOUT)
                        .promptlyBy(admitted(Role.OPERATOR, this::subscribe)),
                Route.delete(polling)
                        .withOwnCheck(CHECK)
                        .about("Removes a subscriber.")
                        .promptlyBy(admitted(Role.OPERATOR, this::unsubscribe)),
                Route.get(polling)
                        .withOwnCheck(CHECK)
                        .about(
                                "The messages that the subscriber has not acknowledged; renews its"
                                        + " life, unless a viewer asks.")
                        .parameter("timeout", "how long to wait for the first: 10s; 0ms")
                        .parameter("max", "how many at most; 64")
                        .parked()
                        .promptlyBy(admitted(Role.VIEWER, this::fetch)),
                Route.delete(polling + "/message")
                        .withOwnCheck(CHECK)
                        .about("All messages up to those of this handle have arrived.")
                        .parameter("ackHandle", "as a fetch gave it")
                        .promptlyBy(admitted(Role.OPERATOR, this::acknowledge)),
                Route.put(polling + "/cursor")
                        .withOwnCheck(CHECK)
                        .about("Moves a subscriber to another place, to read again from there.")
                        .parameter("from", Starts.ABOUT)
                        .promptlyBy(admitted(Role.OPERATOR, this::replay)));
    }

    /** What to do once the caller was let in. */
    @FunctionalInterface
    interface Work {
        CompletionStage<Answer> answer(Request request, String channel, Admitted admitted);
    }

    private Handler.PromptWork admitted(Role role, Work work) {
        return request -> admitted(request, role, work);
    }

    private CompletionStage<Answer> admitted(Request request, Role role, Work work) {
        String channel = request.variable(ChannelGate.CHANNEL);
        return PubsubErrors.told(
                () ->
                        Linked.compose(
                                gate.admit(request, role).toCompletableFuture(),
                                caller ->
                                        work.answer(request, channel, caller)
                                                .toCompletableFuture()));
    }

    // ---------------------------------------------------------------- the calls

    private CompletionStage<Answer> publish(Request request, String channel, Admitted admitted) {
        String message = MessageNames.of(request.variable("message"), "messageID");
        return service.publish(channel, admitted.rules(), message, request.body())
                .thenApply(isNew -> done(channel, "messageID", message));
    }

    private CompletionStage<Answer> subscribe(Request request, String channel, Admitted admitted) {
        String subscriber = subscriber(request);
        return service.subscribe(channel, subscriber, admitted.rules(), Starts.of(request), false)
                .thenApply(created -> done(channel, "subscriberID", subscriber));
    }

    private CompletionStage<Answer> replay(Request request, String channel, Admitted admitted) {
        String subscriber = subscriber(request);
        return service.subscribe(channel, subscriber, admitted.rules(), Starts.of(request), true)
                .thenApply(created -> done(channel, "subscriberID", subscriber));
    }

    private CompletionStage<Answer> unsubscribe(
            Request request, String channel, Admitted admitted) {
        String subscriber = subscriber(request);
        return service.unsubscribe(channel, subscriber)
                .thenApply(gone -> done(channel, "subscriberID", subscriber));
    }

    private CompletionStage<Answer> fetch(Request request, String channel, Admitted admitted) {
        String subscriber = subscriber(request);
        Duration timeOut = request.query("timeout").map(PubsubApi::duration).orElse(Duration.ZERO);
        int most = request.query("max").map(PubsubApi::most).orElse(USUAL_MOST);
        CompletableFuture<PubsubStore.Page> poll =
                service.poll(channel, subscriber, admitted, most, timeOut);
        return Linked.of(poll, poll.thenApply(page -> json(page(channel, subscriber, page))));
    }

    private CompletionStage<Answer> acknowledge(
            Request request, String channel, Admitted admitted) {
        String subscriber = subscriber(request);
        String handle =
                request.query("ackHandle")
                        .filter(text -> !text.isEmpty())
                        .orElseThrow(() -> new Refused.Missing("ackHandle").exception());
        return service.acknowledge(channel, subscriber, admitted.rules(), handle)
                .thenApply(done -> Answer.empty(204));
    }

    static String subscriber(Request request) {
        return MessageNames.of(request.variable(SUBSCRIBER), "subscriberID");
    }

    private static Duration duration(String text) {
        try {
            return TimeText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Refused.Invalid("timeout").exception();
        }
    }

    /** More than there can be is as good as all. */
    private static int most(String text) {
        try {
            long most = Long.parseLong(text);
            if (most >= 1) {
                return (int) Math.min(most, Integer.MAX_VALUE);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new Refused.Invalid("max").exception();
    }

    // ---------------------------------------------------------------- the answers

    /** MessageNames are plain letters, so they need no quoting. */
    private static Answer done(String channel, String name, String id) {
        return json(
                ("{\"channelID\":\"" + channel + "\",\"" + name + "\":\"" + id + "\"}\n")
                        .getBytes(US_ASCII));
    }

    static Answer json(byte[] body) {
        return Answer.bytes(200, "application/json", body);
    }

    private byte[] page(String channel, String subscriber, PubsubStore.Page page) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        text(out, "{\"channelID\":\"");
        text(out, channel);
        text(out, "\",\"messages\":[");
        for (int i = 0; i < page.messages().size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            page.messages().get(i).envelope().write(out);
        }
        if (page.messages().isEmpty()) {
            text(out, "],\"moreMessages\":false}\n");
        } else {
            text(out, "],\"ackHandle\":\"");
            text(out, service.handle(channel, subscriber, page.messages().getLast().clock()));
            text(out, page.more() ? "\",\"moreMessages\":true}\n" : "\",\"moreMessages\":false}\n");
        }
        return out.toByteArray();
    }

    static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(US_ASCII));
    }
}
