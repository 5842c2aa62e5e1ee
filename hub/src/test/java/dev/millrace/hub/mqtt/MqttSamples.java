package dev.millrace.hub.mqtt;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.embedded.Doorway;
import dev.millrace.hub.mqtt.embedded.EmbeddedBroker;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import io.micrometer.core.instrument.MeterRegistry;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings for tests. */
record MqttSamples(MqttSettings mqtt, HttpSettings http) {
    static MqttSamples settings(String... set) {
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys(), MqttSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of(set),
                        Map.of());
        HttpSettings http = HttpSettings.BLOCK.read(values);
        MqttSamples samples = new MqttSamples(MqttSettings.read(values, http), http);
        values.mustBeRight();
        return samples;
    }

    MqttSamples withUrl(BrokerUrl url) {
        return new MqttSamples(
                new MqttSettings(
                        Optional.of(url),
                        mqtt.trust(),
                        mqtt.embedded(),
                        mqtt.sessionExpiry(),
                        mqtt.eventbus()),
                http);
    }

    /** What an embedded broker has to know that listens at this port, if one is named. */
    EmbeddedBroker.Plan plan(Optional<Integer> port) {
        EmbeddedBroker.Plan plan = mqtt.plan(http);
        Doorway doorway = plan.doorway();
        return new EmbeddedBroker.Plan(
                plan.settings(),
                new Doorway(
                        port.or(doorway::port), doorway.tls(), doorway.clearPort(), doorway.host()),
                plan.sessionExpiry());
    }

    Mqtt open(Path directory, Gate gate, MeterRegistry figures) {
        return Mqtt.open(mqtt, http, directory, gate, figures);
    }
}
