package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.Wakes;
import dev.millrace.hub.pubsub.config.ChannelBook;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.Webhook;
import dev.millrace.hub.work.Patience;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The outgoing webhooks of channels. Each is a subscriber of its channel like any other, with a
 * cursor, and is called by a {@link WebhookSender} some time after the publish was answered: a
 * receiver that is slow or away holds up nobody. A duplicate calls nobody, since it puts nothing
 * behind the cursor. Thread-safe.
 */
public final class Webhooks implements AutoCloseable {
    /** The name of the logger with what is sent and what becomes of it. */
    public static final String LOGGER = "dev.millrace.hub.pubsub.webhook-out";

    private final PubsubStore store;
    private final WebhookWork work;
    private final WebhookSender sender;
    private final DeadLetters dead;

    public Webhooks(
            Keyspace keyspace,
            PubsubStore store,
            ChannelBook book,
            Wakes wakes,
            Outside outside,
            MeterRegistry registry,
            InstantSource clock) {
        this.store = store;
        this.work = new WebhookWork(keyspace);
        this.dead = new DeadLetters(keyspace);
        WebhookTools tools =
                new WebhookTools(
                        work,
                        store,
                        book,
                        dead,
                        new WebhookClient(outside),
                        new WebhookMetrics(registry),
                        new Patience(),
                        clock);
        this.sender = new WebhookSender(tools, wakes);
    }

    public void start() {
        sender.start();
    }

    /**
     * Publishes, and has the webhooks of the channel called afterwards. Their cursors are there
     * before the message, and the work is armed before and behind it; {@link WebhookWork} says why.
     */
    public <T> CompletableFuture<T> around(
            String channel, ChannelRules rules, Supplier<CompletableFuture<T>> publish) {
        if (rules.webhooks().isEmpty()) {
            return publish.get();
        }
        List<WebhookWork.Item> items = new ArrayList<>();
        List<CompletableFuture<?>> ready = new ArrayList<>();
        for (Webhook webhook : rules.webhooks()) {
            items.add(new WebhookWork.Item(channel, webhook.id()));
            ready.add(
                    store.create(
                            channel,
                            webhook.subscriber(),
                            rules,
                            new PubsubStore.Start.Latest(),
                            false));
        }
        ready.add(work.arm(channel, items, true));
        return CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new))
                .thenCompose(armed -> publish.get())
                .thenCompose(
                        published ->
                                work.arm(channel, items, false)
                                        .thenApply(
                                                armed -> {
                                                    sender.wake(channel);
                                                    return published;
                                                }));
    }

    public DeadLetters dead() {
        return dead;
    }

    /** Sends the dead letters of a channel once more. */
    public void replay(String channel) {
        work.arm(channel, List.of(WebhookWork.Item.deadLetters(channel)), false).join();
        sender.wake(channel);
    }

    @Override
    public void close() {
        sender.close();
    }
}
