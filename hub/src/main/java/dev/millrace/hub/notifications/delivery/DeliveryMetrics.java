package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.TransmissionStatus;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.concurrent.atomic.AtomicLong;

/** The figures of delivery. */
public final class DeliveryMetrics {
    private final AtomicLong pending = new AtomicLong();
    private final Counter sent;
    private final Counter failed;
    private final Counter escalated;

    public DeliveryMetrics(MeterRegistry registry) {
        Gauge.builder("millrace.notifications.pending", pending, AtomicLong::get)
                .description("What waits in all outboxes to be sent, or sent again.")
                .register(registry);
        sent =
                Counter.builder("millrace.notifications.sent")
                        .description("Attempts after which the receiver has it.")
                        .register(registry);
        failed =
                Counter.builder("millrace.notifications.failed")
                        .description("Attempts that failed.")
                        .register(registry);
        escalated =
                Counter.builder("millrace.notifications.escalated")
                        .description("Transmissions that were given up and escalated.")
                        .register(registry);
    }

    void attempted(TransmissionStatus status) {
        (status == TransmissionStatus.SENT ? sent : failed).increment();
    }

    void escalated() {
        escalated.increment();
    }

    void pending(long count) {
        pending.set(count);
    }
}
