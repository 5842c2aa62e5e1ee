package dev.millrace.hub.mqtt;

import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.embedded.EmbeddedSettings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings for tests. */
final class MqttSamples {
    private MqttSamples() {}

    static MqttSettings settings(String... set) {
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys(), MqttSettings.KEYS)),
                        Optional.empty(),
                        List.of(set),
                        Map.of());
        MqttSettings settings = MqttSettings.read(values, HttpSettings.BLOCK.read(values));
        values.mustBeRight();
        return settings;
    }

    static MqttSettings withPort(MqttSettings settings, int port) {
        EmbeddedSettings was = settings.embedded();
        return new MqttSettings(
                settings.broker(),
                settings.trust(),
                new EmbeddedSettings(
                        Optional.of(port),
                        was.tls(),
                        was.clearPort(),
                        was.host(),
                        was.maxMessage(),
                        was.maxConnections(),
                        was.maxQueue(),
                        was.maxTopics(),
                        was.maxRetained(),
                        was.sessionExpiry()),
                settings.sessionExpiry(),
                settings.eventbus());
    }

    static MqttSettings withUrl(MqttSettings settings, BrokerUrl url) {
        return new MqttSettings(
                Optional.of(url),
                settings.trust(),
                settings.embedded(),
                settings.sessionExpiry(),
                settings.eventbus());
    }
}
