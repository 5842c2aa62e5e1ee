package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.pubsub.config.Webhook;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before a message is sent again. */
public final class WebhookPause {
    /** Beyond every lifetime of a message; more would leave the range of numbers. */
    private static final double LONGEST_MILLIS = 1e12;

    private WebhookPause() {}

    /**
     * The wait before the n-th try after the first one: longer by the multiplier each time, and by
     * the jitter longer or shorter.
     */
    public static Duration before(Webhook.Retry retry, int n) {
        double plain = retry.interval().toMillis() * Math.pow(retry.multiplier(), n - 1.0);
        double jitter = retry.jitter().toMillis() * ThreadLocalRandom.current().nextDouble(-1, 1);
        return Duration.ofMillis(Math.round(Math.max(0, Math.min(plain + jitter, LONGEST_MILLIS))));
    }
}
