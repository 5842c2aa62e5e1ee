package dev.millrace.hub.pubsub;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.channels.JsonSpans;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.channels.RefusedException;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.PubsubSettings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Publishes many messages with one request and one script: {@code
 * [{"messageID":"…","content":…},…]}. All are looked at before any is stored, and they are stored
 * in their order, all or none; what is told of each is whether it was new.
 */
final class BatchApi {
    static final int MOST = 1000;

    /** What one commit to Redis may hold. */
    private static final long MOST_BYTES = 4 << 20;

    private final PubsubService service;
    private final ChannelGate gate;
    private final PubsubSettings settings;

    BatchApi(PubsubService service, ChannelGate gate, PubsubSettings settings) {
        this.service = service;
        this.gate = gate;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.post(settings.pathPrefix() + "/channel/{channel:any}/messages")
                        .withOwnCheck(PubsubApi.CHECK)
                        .about("Publishes up to 1000 messages, all or none, in their order.")
                        .maxBody(MOST_BYTES)
                        .promptlyBy(this::publish));
    }

    private CompletionStage<Answer> publish(Request request) {
        String channel = request.variable(ChannelGate.CHANNEL);
        return PubsubErrors.told(
                () ->
                        gate.admit(request, Role.OPERATOR)
                                .toCompletableFuture()
                                .thenCompose(
                                        admitted ->
                                                publish(
                                                        channel,
                                                        admitted.rules(),
                                                        request.body())));
    }

    private CompletionStage<Answer> publish(String channel, ChannelRules rules, byte[] body) {
        List<PubsubStore.Draft> drafts = drafts(rules, body);
        return service.published(channel, rules, drafts)
                .thenApply(clocks -> answer(channel, drafts, clocks));
    }

    private static List<PubsubStore.Draft> drafts(ChannelRules rules, byte[] body) {
        if (JsonSpans.only(body).isEmpty()) {
            throw new Refused.NotJson().exception();
        }
        List<PubsubStore.Draft> drafts = new ArrayList<>();
        for (JsonSpans.Span each : JsonSpans.elements(body)) {
            Envelope message =
                    Envelope.read(Arrays.copyOfRange(body, each.from(), each.to()), "messageID")
                            .orElseThrow(
                                    () ->
                                            notMessages(
                                                    "Message %d needs a valid messageID and content."
                                                            .formatted(drafts.size() + 1)));
            drafts.add(
                    PubsubService.draft(rules, message.id(), message.bytes(), message.content()));
        }
        if (drafts.isEmpty() || drafts.size() > MOST) {
            throw notMessages("The body is a list of 1 to %d messages.".formatted(MOST));
        }
        return drafts;
    }

    private static RefusedException notMessages(String sentence) {
        return new Refused.NotMessages(sentence).exception();
    }

    private static Answer answer(
            String channel, List<PubsubStore.Draft> drafts, List<OptionalLong> clocks) {
        StringBuilder text = new StringBuilder(64 + 48 * drafts.size());
        text.append("{\"channelID\":\"").append(channel).append("\",\"messages\":[");
        for (int i = 0; i < drafts.size(); i++) {
            text.append(i == 0 ? "" : ",")
                    .append("{\"messageID\":\"")
                    .append(drafts.get(i).id())
                    .append("\",\"duplicate\":")
                    .append(clocks.get(i).isEmpty())
                    .append('}');
        }
        return PubsubApi.json(text.append("]}\n").toString().getBytes(US_ASCII));
    }
}
