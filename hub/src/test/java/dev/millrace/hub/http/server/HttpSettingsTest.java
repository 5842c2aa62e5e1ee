package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.server.HttpSettings.TlsFiles;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class HttpSettingsTest {
    private static final Keys KEYS = new Keys(List.of(HttpSettings.BLOCK.keys()));

    private static Values values(String... set) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(set), Map.of());
    }

    @Test
    void nothing_said_means_the_defaults() {
        Values values = values();
        assertThat(HttpSettings.BLOCK.read(values))
                .isEqualTo(
                        new HttpSettings(
                                "127.0.0.1",
                                8080,
                                List.of(),
                                new HttpSettings.Tls(Optional.empty(), Optional.empty()),
                                new HttpSettings.Pages(List.of()),
                                new Bytes(1 << 20),
                                new Bytes(16 << 10),
                                20_000,
                                2048,
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(10),
                                List.of(),
                                Optional.empty()));
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void every_key_is_mapped(@TempDir Path directory) throws IOException {
        Path cert = Files.createFile(directory.resolve("hub.crt"));
        Path key = Files.createFile(directory.resolve("hub.key"));
        Values values =
                values(
                        "http.host=::1",
                        "http.port=0",
                        "http.hosts=hub.example, [fd00::1]",
                        "http.tls.cert=" + cert,
                        "http.tls.key=" + key,
                        "http.cors.origins=https://shop.example, http://localhost:3000",
                        "http.max-body=2MiB",
                        "http.max-header=8KiB",
                        "http.max-connections=10",
                        "http.max-in-flight=11",
                        "http.request-time-out=1s",
                        "http.body-time-out=2s",
                        "http.idle-time-out=3s",
                        "http.stop-time-out=4s",
                        "http.trusted-proxies=10.0.0.0/8,::1",
                        "http.real-ip-header=X-Real-IP");
        assertThat(HttpSettings.BLOCK.read(values))
                .isEqualTo(
                        new HttpSettings(
                                "::1",
                                0,
                                List.of("hub.example", "fd00::1"),
                                new HttpSettings.Tls(Optional.of(cert), Optional.of(key)),
                                new HttpSettings.Pages(
                                        List.of("https://shop.example", "http://localhost:3000")),
                                new Bytes(2 << 20),
                                new Bytes(8 << 10),
                                10,
                                11,
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4),
                                List.of(Network.of("10.0.0.0/8"), Network.of("::1")),
                                Optional.of("X-Real-IP")));
        assertThat(HttpSettings.BLOCK.read(values).certificate()).contains(new TlsFiles(cert, key));
        assertThat(values.problems()).isEmpty();
        assertThat(HttpSettings.BLOCK.keys().keys()).hasSize(16);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http.tls.cert=pom.xml | http.tls.cert: a certificate needs its private key; name"
                        + " it in http.tls.key.",
                "http.tls.key=pom.xml | http.tls.key: a key needs its certificate; name it in"
                        + " http.tls.cert.",
                "http.tls.cert=pom.xml http.tls.key=/none/x | http.tls.key: '/none/x' does not"
                        + " exist.",
                "http.tls.cert=pom.xml http.tls.key=/ | http.tls.key: '/' is not a readable"
                        + " file; look at its owner and mode.",
                "http.cors.origins=shop.example | http.cors.origins: 'shop.example' is not a valid"
                        + " origin; write https://host or https://host:port, without a path, or *.",
                "http.cors.origins=*,https://a/ | http.cors.origins: 'https://a/' is not a valid"
                        + " origin; write https://host or https://host:port, without a path, or *.",
                "http.real-ip-header=X-Real-IP | http.real-ip-header: anybody can send this"
                        + " header, so it is believed only from certain addresses; name them in"
                        + " http.trusted-proxies.",
                "http.trusted-proxies=::1 http.real-ip-header=a:b | http.real-ip-header: 'a:b' is"
                        + " not a valid header name.",
                "http.max-body=2GiB | http.max-body: '2GiB' is out of bounds; use 1 to 1GiB.",
                "http.max-in-flight=0 | http.max-in-flight: '0' is out of bounds; use a number from"
                        + " 1 to 1000000.",
            })
    void a_mistake_is_told_in_a_sentence(String set, String sentence) {
        Values values = values(set.split(" ", -1));
        HttpSettings.BLOCK.read(values);
        assertThat(values.problems()).containsExactly("--set " + sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.1.2.3, true",
        "::1, true",
        "[::1], true",
        "LocalHost, true",
        "0.0.0.0, false",
        "::, false",
        "192.168.1.7, false",
        "gateway.local, false"
    })
    void loopback_is_what_only_this_machine_reaches(String host, boolean loopback) {
        assertThat(HttpSettings.BLOCK.read(values("http.host=" + host)).isLoopback())
                .isEqualTo(loopback);
    }
}
