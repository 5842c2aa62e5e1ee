package dev.millrace.hub.mqtt;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * MQTT, opened once for a hub and handed to the rooms. The hub is always the client of a broker:
 * one outside, or the embedded one, which is merely started first. Rooms see neither. Thread-safe.
 */
public final class Mqtt implements AutoCloseable {
    private static final String CLIENT = "millrace-";

    private final MqttSettings settings;
    private final @Nullable Broker broker;
    private final List<AutoCloseable> parts = new CopyOnWriteArrayList<>();

    private Mqtt(MqttSettings settings, @Nullable Broker broker) {
        this.settings = settings;
        this.broker = broker;
    }

    /** Opens it. That an outside broker is away is no reason not to begin. */
    public static Mqtt open(MqttSettings settings, MeterRegistry registry) {
        return new Mqtt(
                settings,
                settings.broker()
                        .map(
                                url ->
                                        new Broker(
                                                new Target(url, settings.trust()),
                                                new MqttMetrics(registry)))
                        .orElse(null));
    }

    /** Whether there is a broker at all: false with {@code mqtt.embedded.port=off} and no URL. */
    public boolean on() {
        return broker != null;
    }

    private Broker broker() {
        Broker there = broker;
        if (there == null) {
            throw new MqttException(
                    "There is no MQTT broker: set mqtt.url, or mqtt.embedded.port to a port.");
        }
        return there;
    }

    /**
     * Ordered sending under one client id of the whole site; it connects when it is first used.
     *
     * @throws MqttException if MQTT is off
     */
    public Sender sender(String name) {
        Sender sender = new Sender(broker(), CLIENT + name);
        parts.add(sender);
        return sender;
    }

    /**
     * Listens in a durable session under one client id of the whole site.
     *
     * @throws MqttException if MQTT is off
     */
    public Receiver receive(String name, String filter, Handler handler) {
        return receive(name, filter, handler, () -> true);
    }

    /**
     * The same, connected only while something holds: that this hub is the one of its site that
     * does this work. (Two with the same client id would throw out one another in turn.)
     */
    public Receiver receive(String name, String filter, Handler handler, BooleanSupplier wanted) {
        Receiver receiver =
                new Receiver(
                        broker(), CLIENT + name, filter, settings.sessionExpiry(), handler, wanted);
        parts.add(receiver);
        return receiver;
    }

    /** What an operator should look at; none of it keeps the hub from working. */
    public List<String> warnings() {
        Broker there = broker;
        return there == null
                ? List.of()
                : there.trouble().stream().map(each -> "MQTT: " + each).toList();
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("No part of this throws anything.", e);
            }
        }
    }
}
