package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.embedded.Doorway;
import dev.millrace.hub.mqtt.embedded.EmbeddedSettings;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.SettingsText;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class MqttSettingsTest {
    @TempDir Path directory;
    private static final Keys KEYS =
            new Keys(List.of(HttpSettings.BLOCK.keys(), MqttSettings.BLOCK.keys()));

    private static Values values(String... set) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(set), Map.of());
    }

    private static MqttSettings read(Values values) {
        return MqttSettings.read(values, HttpSettings.BLOCK.read(values));
    }

    private static Doorway doorway(Values values) {
        HttpSettings http = HttpSettings.BLOCK.read(values);
        return MqttSettings.read(values, http).embedded().doorway(http);
    }

    @Test
    void nothing_said_means_the_defaults() {
        Values values = values();
        assertThat(read(values))
                .isEqualTo(
                        new MqttSettings(
                                Optional.empty(),
                                Optional.empty(),
                                new EmbeddedSettings(
                                        Optional.empty(),
                                        EmbeddedSettings.Tls.AUTO,
                                        new EmbeddedSettings.Port(Optional.empty()),
                                        Optional.empty(),
                                        Bytes.of("8MB"),
                                        1000,
                                        Bytes.of("64MB"),
                                        10_000,
                                        5_000),
                                Duration.ofDays(7),
                                new MqttSettings.Browsers(200)));
        assertThat(doorway(values))
                .isEqualTo(
                        new Doorway(
                                Optional.of(1883),
                                Optional.empty(),
                                Optional.empty(),
                                "127.0.0.1"));
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void every_key_is_mapped() throws IOException {
        HttpSettings.TlsFiles tls = certificate();
        Values values =
                values(
                        "http.tls.cert=" + tls.certificate(),
                        "http.tls.key=" + tls.key(),
                        "mqtt.embedded.tls=on",
                        "mqtt.embedded.clear-port=1885",
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
        MqttSettings settings = read(values);
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
                                new EmbeddedSettings(
                                        Optional.of(new EmbeddedSettings.Port(Optional.empty())),
                                        EmbeddedSettings.Tls.ON,
                                        new EmbeddedSettings.Port(Optional.of(1885)),
                                        Optional.of("10.0.0.1"),
                                        Bytes.of("1MB"),
                                        11,
                                        Bytes.of("2MB"),
                                        30,
                                        4),
                                Duration.ofHours(2),
                                new MqttSettings.Browsers(3)));
        assertThat(doorway(values))
                .isEqualTo(
                        new Doorway(
                                Optional.empty(), Optional.of(tls), Optional.of(1885), "10.0.0.1"));
        assertThat(values.problems()).isEmpty();
        assertThat(MqttSettings.BLOCK.keys().keys()).hasSize(13);
        assertThat(settings.toString() + SettingsText.table(KEYS, values))
                .doesNotContain("same")
                .contains("mqtts://broker:9", "mqtts://***@broker:9");
    }

    @Test
    void a_session_of_more_than_the_broker_can_count_is_refused() {
        Values values = values("mqtt.session-expiry=25d");
        read(values);
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
        read(values);
        assertThat(values.problems()).hasSize(1);
        assertThat(values.problems() + SettingsText.table(KEYS, values))
                .contains("--set mqtt.url: ", "mqtt://")
                .doesNotContain("same");
    }

    @Test
    void a_port_may_be_off() {
        Values values = values("mqtt.embedded.port=none");
        read(values);
        assertThat(values.problems())
                .containsExactly(
                        "--set mqtt.embedded.port: 'none' is not a port; use 1 to 65535, 0 for a"
                                + " free one, or off.");
    }

    private HttpSettings.TlsFiles certificate() throws IOException {
        return new HttpSettings.TlsFiles(
                Files.writeString(directory.resolve("cert.pem"), "x"),
                Files.writeString(directory.resolve("key.pem"), "x"));
    }

    @ParameterizedTest
    @CsvSource({
        // certificate, address, mqtt.embedded.tls: encrypted, port, tokens in the clear
        "no, 127.0.0.1, auto, no, 1883, no",
        "no, 0.0.0.0, auto, no, 1883, yes",
        "no, 0.0.0.0, off, no, 1883, yes",
        "yes, 127.0.0.1, auto, no, 1883, no",
        "yes, 127.0.0.1, on, yes, 8883, no",
        "yes, 0.0.0.0, auto, yes, 8883, no",
        "yes, 0.0.0.0, true, yes, 8883, no",
        "yes, 0.0.0.0, off, no, 1883, yes"
    })
    void where_others_can_reach_it_and_there_is_a_certificate_it_is_encrypted(
            String certificate, String host, String tls, String encrypted, int port, String clear)
            throws IOException {
        HttpSettings.TlsFiles files = certificate();
        List<String> set =
                new ArrayList<>(List.of("http.host=" + host, "mqtt.embedded.tls=" + tls));
        if (certificate.equals("yes")) {
            set.add("http.tls.cert=" + files.certificate());
            set.add("http.tls.key=" + files.key());
        }
        Values values = values(set.toArray(String[]::new));
        Doorway embedded = doorway(values);
        assertThat(values.problems()).isEmpty();
        assertThat(embedded.tls().isPresent()).isEqualTo(encrypted.equals("yes"));
        assertThat(embedded.port()).contains(port);
        assertThat(embedded.inTheClear()).isEqualTo(clear.equals("yes"));
    }

    @Test
    void encryption_needs_a_certificate_and_a_second_port_encryption() {
        Values without = values("mqtt.embedded.tls=on");
        read(without);
        assertThat(without.problems()).singleElement().asString().contains("http.tls.cert");
        Values second = values("mqtt.embedded.clear-port=1884");
        read(second);
        assertThat(second.problems()).singleElement().asString().contains("not encrypted");
    }
}
