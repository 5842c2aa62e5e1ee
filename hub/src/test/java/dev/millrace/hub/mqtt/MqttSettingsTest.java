package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.SettingsText;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class MqttSettingsTest {
    private static final Keys KEYS = new Keys(List.of(MqttSettings.KEYS));

    private static Values values(String... set) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(set), Map.of());
    }

    @Test
    void nothing_said_means_the_defaults() {
        Values values = values();
        assertThat(MqttSettings.read(values))
                .isEqualTo(
                        new MqttSettings(
                                Optional.empty(),
                                Optional.empty(),
                                new MqttSettings.Embedded(
                                        Optional.of(1883),
                                        Optional.empty(),
                                        Bytes.of("8MB"),
                                        1000,
                                        Bytes.of("64MB"),
                                        10_000,
                                        5_000),
                                Duration.ofDays(7),
                                200));
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void every_key_is_mapped() {
        Values values =
                values(
                        "mqtt.url=mqtts://ann:se%40same+@broker:9",
                        "mqtt.trust=ours.pem",
                        "mqtt.embedded.port=off",
                        "mqtt.embedded.host=10.0.0.1",
                        "mqtt.embedded.max-message=1MB",
                        "mqtt.embedded.max-connections=11",
                        "mqtt.embedded.max-queue=2MB",
                        "mqtt.embedded.max-topics=30",
                        "mqtt.embedded.max-retained=4",
                        "mqtt.session-expiry=2h",
                        "mqtt.eventbus.max-connections=3");
        MqttSettings settings = MqttSettings.read(values);
        assertThat(settings)
                .isEqualTo(
                        new MqttSettings(
                                Optional.of(
                                        new BrokerUrl(
                                                "broker",
                                                9,
                                                true,
                                                Optional.of("ann"),
                                                Optional.of("se@same+"))),
                                Optional.of(Path.of("ours.pem")),
                                new MqttSettings.Embedded(
                                        Optional.empty(),
                                        Optional.of("10.0.0.1"),
                                        Bytes.of("1MB"),
                                        11,
                                        Bytes.of("2MB"),
                                        30,
                                        4),
                                Duration.ofHours(2),
                                3));
        assertThat(values.problems()).isEmpty();
        assertThat(MqttSettings.KEYS.keys()).hasSize(11);
        assertThat(settings.toString() + SettingsText.table(KEYS, values))
                .doesNotContain("same")
                .contains("mqtts://broker:9", "mqtts://***@broker:9");
    }

    @Test
    void a_session_of_more_than_the_broker_can_count_is_refused() {
        Values values = values("mqtt.session-expiry=25d");
        MqttSettings.read(values);
        assertThat(values.problems()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "mqtt://host, mqtt://host:1883",
        "mqtts://host/, mqtts://host:8883",
        "mqtt://[::1]:7, mqtt://[::1]:7"
    })
    void a_broker_has_a_port(String url, String shown) {
        assertThat(BrokerUrl.of(url)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://:sesame@host",
                "mqtt:sesame",
                "sesame",
                "mqtt://u:se same@host",
                "mqtt://:sesame",
                "mqtt://host/sesame",
                "mqtt://host?sesame",
                "mqtt://host:70000#sesame",
            })
    void what_is_no_broker_is_refused_and_not_repeated(String url) {
        Values values = values("mqtt.url=" + url);
        MqttSettings.read(values);
        assertThat(values.problems()).hasSize(1);
        assertThat(values.problems() + SettingsText.table(KEYS, values))
                .contains("--set mqtt.url: ", "mqtt://")
                .doesNotContain("same");
    }

    @Test
    void a_port_may_be_off() {
        Values values = values("mqtt.embedded.port=none");
        MqttSettings.read(values);
        assertThat(values.problems())
                .containsExactly(
                        "--set mqtt.embedded.port: 'none' is no port; use 1 to 65535, 0 for a free"
                                + " one, or off.");
    }
}
