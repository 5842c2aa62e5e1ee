package dev.millrace.hub.pubsub;

import dev.millrace.keyspace.redis.RedisException;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What is needed to do the work of webhooks.
 *
 * @param stopped counted down when the hub stops
 */
record WebhookTools(
        WebhookWork work,
        PubsubStore store,
        ChannelBook book,
        DeadLetters dead,
        WebhookClient client,
        WebhookMetrics figures,
        CountDownLatch stopped,
        InstantSource clock) {

    /** Beyond the longest try: the time to write down how it ended. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(10);

    /** So that not every try renews its claim. */
    private static final Duration SPARE = Duration.ofSeconds(30);

    private static final long BETWEEN_MILLIS = 200;

    boolean stopping() {
        return stopped.getCount() == 0;
    }

    Optional<Webhook> webhook(String channel, String id) {
        return book.rules(channel).stream()
                .flatMap(rules -> rules.webhooks().stream())
                .filter(each -> each.id().equals(id))
                .findFirst();
    }

    /** The claim with time enough for a try; empty if it is somebody else's by now. */
    Optional<WebhookWork.Claim> forTry(WebhookWork.Claim claim, Webhook webhook) {
        Duration needed = webhook.timeout().plus(AFTERWARDS);
        return claim.left().compareTo(needed) >= 0
                ? Optional.of(claim)
                : work.renew(claim, needed.plus(SPARE));
    }

    /** Tries again while Redis is away and the claim holds: what was sent must be written down. */
    <T> T patiently(WebhookWork.Claim claim, Supplier<T> what) throws InterruptedException {
        while (true) {
            try {
                return what.get();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof RedisException)
                        || claim.left().isNegative()
                        || stopped.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
            }
        }
    }
}
