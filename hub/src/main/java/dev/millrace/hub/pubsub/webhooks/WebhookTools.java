package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.config.ChannelBook;
import dev.millrace.hub.pubsub.config.Webhook;
import dev.millrace.hub.work.Patience;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * What is needed to do the work of webhooks.
 *
 * @param patience ends when the hub stops
 */
record WebhookTools(
        WebhookWork work,
        PubsubStore store,
        ChannelBook book,
        DeadLetters dead,
        WebhookClient client,
        WebhookMetrics figures,
        Patience patience,
        InstantSource clock) {

    /** How long the work of a hub that died waits; a try that takes longer renews its claim. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration ENOUGH = Duration.ofSeconds(10);

    boolean stopping() {
        return patience.isStopped();
    }

    Optional<Webhook> webhook(String channel, String id) {
        return book.rules(channel).stream()
                .flatMap(rules -> rules.webhooks().stream())
                .filter(each -> each.id().equals(id))
                .findFirst();
    }

    /** The claim with time enough to begin a try; empty if it is somebody else's by now. */
    Optional<WebhookWork.Claim> forTry(WebhookWork.Claim claim) {
        return claim.left().compareTo(ENOUGH) >= 0 ? Optional.of(claim) : work.renew(claim, LEASE);
    }

    /** The claim during a try, which goes on whether Redis is there or not. */
    WebhookWork.Claim kept(WebhookWork.Claim claim) {
        try {
            return forTry(claim).orElse(claim);
        } catch (CompletionException e) {
            return claim;
        }
    }

    /** Tries again while Redis is away and the claim holds: what was sent must be written down. */
    <T> T patiently(WebhookWork.Claim claim, Supplier<T> what) throws InterruptedException {
        return patience.of(what, e -> !claim.left().isNegative());
    }
}
