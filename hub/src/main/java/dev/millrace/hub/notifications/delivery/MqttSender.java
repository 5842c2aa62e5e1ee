package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.MqttException;
import dev.millrace.hub.mqtt.Outgoing;
import dev.millrace.hub.mqtt.Sender;
import dev.millrace.hub.notifications.kept.Notification;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Sends notifications to a topic. Sent means that the broker has acknowledged it; who listens there
 * is the broker's business. Thread-safe.
 */
public final class MqttSender implements AutoCloseable {
    private final @Nullable Sender sender;

    public MqttSender(Mqtt mqtt) {
        // Each hub delivers for itself, so none may throw out another.
        sender = mqtt.on() ? mqtt.ownSender("notifications") : null;
    }

    Attempt send(Notification notification, String transmission, String topic) {
        Sender there = sender;
        if (there == null) {
            return Attempt.failed(
                    "There is no MQTT broker: set mqtt.url, or mqtt.embedded.port to a port.");
        }
        try {
            there.send(
                    List.of(
                            new Outgoing(
                                    topic,
                                    notification.content().getBytes(StandardCharsets.UTF_8),
                                    Map.of("transmission", transmission))));
            return Attempt.sent("The broker has it.");
        } catch (MqttException | IllegalArgumentException e) {
            return Attempt.failed("This cannot be sent: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        Sender there = sender;
        if (there != null) {
            there.close();
        }
    }
}
