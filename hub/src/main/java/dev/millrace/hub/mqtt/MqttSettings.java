package dev.millrace.hub.mqtt;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.util.List;
import java.util.Optional;

/**
 * The settings of MQTT.
 *
 * @param broker one of somebody's own; empty for the embedded one
 * @param embeddedPort where the embedded one listens, 0 for a free port; empty for none at all
 */
public record MqttSettings(Optional<BrokerUrl> broker, Optional<Integer> embeddedPort) {

    private static final Key<Optional<BrokerUrl>> URL =
            Key.optional(
                            "mqtt.url",
                            Kind.one(BrokerUrl::of),
                            "an embedded broker",
                            "where a broker is: mqtt://user:password@host:port; mqtts:// if it is"
                                    + " encrypted")
                    .address();

    private static final Key<Optional<Integer>> EMBEDDED_PORT =
            Key.of(
                    "mqtt.embedded.port",
                    Kind.one(MqttSettings::portOrOff),
                    "1883",
                    "the port of the embedded broker; 0 takes a free one, off starts none");

    public static final Keys.Group KEYS =
            new Keys.Group(
                    "MQTT: a broker of your own, or the embedded one", List.of(URL, EMBEDDED_PORT));

    public static MqttSettings read(Values values) {
        return new MqttSettings(values.get(URL), values.get(EMBEDDED_PORT));
    }

    private static Optional<Integer> portOrOff(String text) {
        if (text.equalsIgnoreCase("off")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Kind.PORT.parser().apply(List.of(text)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is no port; use 1 to 65535, 0 for a free one, or off.".formatted(text),
                    e);
        }
    }
}
