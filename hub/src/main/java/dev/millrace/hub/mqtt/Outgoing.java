package dev.millrace.hub.mqtt;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message to send.
 *
 * @param properties user properties of MQTT 5; a broker that knows only 3.1.1 gets none
 */
public record Outgoing(String topic, byte[] payload, Map<String, String> properties) {

    /**
     * Checks the topic, so that a mistake shows where it is made.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public Outgoing {
        Topics.mustBeName(topic);
        properties = Map.copyOf(new LinkedHashMap<>(properties));
    }

    public static Outgoing of(String topic, byte[] payload) {
        return new Outgoing(topic, payload, Map.of());
    }
}
