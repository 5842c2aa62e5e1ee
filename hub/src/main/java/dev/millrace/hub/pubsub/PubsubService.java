package dev.millrace.hub.pubsub;

import dev.millrace.hub.pubsub.channels.AckHandle;
import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;
import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.channels.JsonSpans;
import dev.millrace.hub.pubsub.channels.Linked;
import dev.millrace.hub.pubsub.channels.Poll;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.channels.RefusedException;
import dev.millrace.hub.pubsub.channels.Wakes;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.pubsub.webhooks.Webhooks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * What publishing, polling and acknowledging mean. Nothing here waits: every answer is a future, so
 * that a publish stays on the thread it came on and ten thousand polls need none at all.
 */
final class PubsubService {
    private final PubsubStore store;
    private final Wakes wakes;
    private final Webhooks webhooks;
    private final PubsubSettings settings;

    PubsubService(PubsubStore store, Wakes wakes, Webhooks webhooks, PubsubSettings settings) {
        this.store = store;
        this.wakes = wakes;
        this.webhooks = webhooks;
        this.settings = settings;
    }

    // ---------------------------------------------------------------- publishing

    /**
     * Stores a message; one with the same id that still lives counts as this one.
     *
     * @throws RefusedException if it is not JSON, or too large
     */
    CompletableFuture<Boolean> publish(
            String channel, ChannelRules rules, String id, byte[] content) {
        PubsubStore.Draft draft = draft(rules, id, content);
        return published(channel, rules, List.of(draft))
                .thenApply(clocks -> clocks.getFirst().isPresent());
    }

    private static PubsubStore.Draft draft(ChannelRules rules, String id, byte[] body) {
        JsonSpans.Span content = JsonSpans.only(body);
        if (content.isEmpty()) {
            throw new Refused.NotJson().exception();
        }
        return draft(rules, id, body, content);
    }

    /** What is stored of a message whose content is this part of a text. */
    static PubsubStore.Draft draft(
            ChannelRules rules, String id, byte[] text, JsonSpans.Span content) {
        if (content.to() - content.from() > rules.maxMessageBytes()) {
            throw new Refused.TooLarge(rules.maxMessageBytes()).exception();
        }
        return new PubsubStore.Draft(id, Envelope.of(id, text, content));
    }

    /** Stores several in one go, in their order; all of them or none. */
    CompletableFuture<List<OptionalLong>> published(
            String channel, ChannelRules rules, List<PubsubStore.Draft> drafts) {
        return webhooks.around(channel, rules, () -> store.publish(channel, rules, drafts))
                .thenApply(
                        clocks -> {
                            if (clocks.isEmpty() && !drafts.isEmpty()) {
                                throw new Refused.TooFast(rules.maxPerSecond()).exception();
                            }
                            return clocks;
                        });
    }

    // ---------------------------------------------------------------- subscribers

    /** Makes a subscriber, or keeps the one that is there. */
    CompletableFuture<PubsubStore.Created> subscribe(
            String channel,
            String subscriber,
            ChannelRules rules,
            PubsubStore.Start start,
            boolean move) {
        return store.create(channel, subscriber, rules, start, move)
                .thenApply(
                        created -> {
                            if (created == PubsubStore.Created.GONE) {
                                throw new Refused.PlaceGone().exception();
                            }
                            return created;
                        });
    }

    CompletableFuture<Boolean> unsubscribe(String channel, String subscriber) {
        return store.delete(channel, subscriber);
    }

    // ---------------------------------------------------------------- reading

    /** The next messages; waits for the first of them. */
    CompletableFuture<PubsubStore.Page> poll(
            String channel, String subscriber, Admitted reader, int most, Duration timeOut) {
        Duration wait =
                timeOut.compareTo(settings.longPollingMaxTimeout()) > 0
                        ? settings.longPollingMaxTimeout()
                        : timeOut;
        CompletableFuture<Optional<PubsubStore.Page>> poll =
                Poll.begin(
                        store,
                        wakes,
                        channel,
                        subscriber,
                        reader,
                        Math.min(most, settings.pollingMaxMessages()),
                        wait);
        return Linked.of(
                poll, poll.thenApply(found -> found.orElseThrow(PubsubService::noSubscriber)));
    }

    CompletableFuture<Void> acknowledge(
            String channel, String subscriber, ChannelRules rules, String handle) {
        OptionalLong clock = place(channel, subscriber, handle);
        if (clock.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.acknowledge(channel, subscriber, rules, clock.getAsLong())
                .thenAccept(
                        outcome -> {
                            if (outcome == PubsubStore.Acknowledged.GONE) {
                                throw noSubscriber();
                            }
                        });
    }

    /**
     * The clock of the last message that a handle is about; nothing if it is of storages elsewhere.
     *
     * @throws RefusedException if it is not a handle of this subscriber
     */
    OptionalLong place(String channel, String subscriber, String handle) {
        return AckHandle.clock(handle, settings.storageId(), channel, subscriber);
    }

    static RefusedException noSubscriber() {
        return new Refused.NoSubscriber().exception();
    }

    /** What acknowledges all messages up to this clock. */
    String handle(String channel, String subscriber, long clock) {
        return AckHandle.of(settings.storageId(), channel, subscriber, clock);
    }
}
