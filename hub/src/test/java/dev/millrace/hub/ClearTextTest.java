package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.doctor.Doctor.Advice;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whoever runs a hub is told where secrets can be read on their way. */
class ClearTextTest {
    @TempDir private Path directory;
    private String certificate;

    @BeforeEach
    void certificate() throws IOException {
        certificate =
                "http.tls.cert=%s http.tls.key=%s"
                        .formatted(
                                Files.writeString(directory.resolve("cert.pem"), "x"),
                                Files.writeString(directory.resolve("key.pem"), "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "access.mode=open, '', ''",
        "access.mode=token, '', ''",
        "access.mode=token http.host=0.0.0.0, HTTP on 0.0.0.0, MQTT on 0.0.0.0",
        "access.mode=token http.host=0.0.0.0 mqtt.embedded.port=off, HTTP on 0.0.0.0, ''",
        "access.mode=token http.host=0.0.0.0 CERTIFICATE, '', ''",
        "access.mode=token http.host=0.0.0.0 CERTIFICATE mqtt.embedded.tls=off, MQTT on 0.0.0.0,"
                + " ''",
        "access.mode=token http.host=0.0.0.0 CERTIFICATE mqtt.embedded.clear-port=1883,"
                + " mqtt.embedded.clear-port, ''",
        "access.mode=token mqtt.embedded.host=0.0.0.0, MQTT on 0.0.0.0, ''",
        "mqtt.url=mqtt://ann:sesame@broker.example, mqtt://broker.example, ''",
        "mqtt.url=mqtts://ann:sesame@broker.example, '', ''",
        "mqtt.url=mqtt://ann:sesame@127.0.0.1, '', ''",
        "mqtt.url=mqtt://broker.example, '', ''"
    })
    void each_place_has_a_warning(String set, String first, String second) {
        List<String> settings = List.of(set.replace("CERTIFICATE", certificate).split(" "));
        List<String> sentences =
                ClearText.advice(Settings.read(Optional.empty(), settings, Map.of())).stream()
                        .map(Advice::sentence)
                        .toList();
        List<String> expected =
                List.of(first, second).stream().filter(each -> !each.isEmpty()).toList();
        assertThat(sentences).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(sentences.get(i)).contains(expected.get(i)).doesNotContain("sesame");
        }
    }

    @Test
    void the_doctor_says_so_before_the_first_run_too() {
        Ended ended =
                Millrace.run(
                        directory,
                        "doctor",
                        "--set",
                        "access.mode=token",
                        "--set",
                        "mqtt.embedded.port=1883",
                        "--set",
                        "http.host=0.0.0.0");
        assertThat(ended.out())
                .contains(
                        "warning  HTTP on 0.0.0.0 is not encrypted",
                        "warning  MQTT on 0.0.0.0 is not encrypted",
                        "type: --set http.tls.cert=cert.pem --set http.tls.key=key.pem");
        assertThat(ended.exit()).isZero();
    }
}
