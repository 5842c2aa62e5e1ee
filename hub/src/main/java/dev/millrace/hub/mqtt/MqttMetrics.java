package dev.millrace.hub.mqtt;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.concurrent.atomic.AtomicInteger;

/** The figures of MQTT. */
final class MqttMetrics {
    private final AtomicInteger connected = new AtomicInteger();
    private final Counter sent;
    private final Counter received;
    private final Counter redelivered;
    private final Counter refused;

    MqttMetrics(MeterRegistry registry) {
        Gauge.builder("millrace.mqtt.connected", connected, AtomicInteger::get)
                .description("Connections of this hub to the broker.")
                .register(registry);
        sent =
                Counter.builder("millrace.mqtt.sent")
                        .description("Messages that the broker has acknowledged.")
                        .register(registry);
        received =
                Counter.builder("millrace.mqtt.received")
                        .description("Messages that were taken and acknowledged.")
                        .register(registry);
        redelivered =
                Counter.builder("millrace.mqtt.redelivered")
                        .description("Attempts to take a message after one that failed.")
                        .register(registry);
        refused =
                Counter.builder("millrace.mqtt.refused")
                        .description("Messages that the broker will never take.")
                        .register(registry);
    }

    void up() {
        connected.incrementAndGet();
    }

    void down() {
        connected.decrementAndGet();
    }

    void sent(int count) {
        sent.increment(count);
    }

    void received() {
        received.increment();
    }

    void redelivered() {
        redelivered.increment();
    }

    void refused(int count) {
        refused.increment(count);
    }
}
