package dev.millrace.hub.pubsub.webhooks;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The figures of webhooks. */
final class WebhookMetrics {
    private final Counter sent;
    private final Counter failed;
    private final Counter dead;

    WebhookMetrics(MeterRegistry registry) {
        sent =
                Counter.builder("millrace.pubsub.webhook.sent")
                        .description("Messages that a webhook has taken.")
                        .register(registry);
        failed =
                Counter.builder("millrace.pubsub.webhook.failed")
                        .description("Tries to send a message to a webhook that failed.")
                        .register(registry);
        dead =
                Counter.builder("millrace.pubsub.webhook.dead")
                        .description("Messages that were given up and are dead letters now.")
                        .register(registry);
    }

    void sent() {
        sent.increment();
    }

    void failed() {
        failed.increment();
    }

    void dead() {
        dead.increment();
    }
}
