package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.hub.house.LogSettings;
import dev.millrace.hub.settings.BadSettingsException;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.SettingsText;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All settings together; those of a feature have tests beside it. */
class SettingsTest {

    private static Settings set(String... set) {
        return Settings.read(Optional.empty(), List.of(set), Map.of());
    }

    private static void refused(String sentence, String... set) {
        assertThatThrownBy(() -> set(set))
                .isInstanceOfSatisfying(
                        BadSettingsException.class,
                        e -> assertThat(e.problems()).containsExactly(sentence));
    }

    @Test
    void nothing_said_means_the_defaults() {
        Settings settings = set();
        assertThat(settings.dataDir()).isEqualTo(Path.of("data"));
        assertThat(settings.access()).isEqualTo(AccessSettings.defaults());
        assertThat(settings.log())
                .isEqualTo(new LogSettings(LogSettings.Level.INFO, LogSettings.Format.TEXT));
        assertThat(settings.durability()).hasToString("memory");
        assertThat(settings.http().port()).isEqualTo(8080);
        assertThat(settings.doorway().port()).contains(1883);
    }

    @Test
    void every_key_is_mapped() {
        Settings settings =
                set(
                        "data.dir=/srv/millrace",
                        "access.mode=token",
                        "access.networks=10.0.0.0/8=viewer,10.1.0.7=admin",
                        "access.free-attempts=7",
                        "access.longest-delay=2m",
                        "log.level=debug",
                        "log.format=json",
                        "durability=fsync",
                        "http.port=0",
                        "mqtt.embedded.port=0");
        assertThat(settings.dataDir()).isEqualTo(Path.of("/srv/millrace"));
        assertThat(settings.access().mode()).isEqualTo(Mode.TOKEN);
        assertThat(settings.access().freeAttempts()).isEqualTo(7);
        assertThat(settings.access().longestDelay()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.access().networks())
                .containsOnly(
                        Map.entry(Network.of("10.0.0.0/8"), Role.VIEWER),
                        Map.entry(Network.of("10.1.0.7"), Role.ADMIN));
        assertThat(settings.log())
                .isEqualTo(new LogSettings(LogSettings.Level.DEBUG, LogSettings.Format.JSON));
        assertThat(settings.durability()).hasToString("fsync");
        assertThat(settings.http().port()).isZero();
        assertThat(settings.doorway().port()).contains(0);
    }

    @Test
    void networks_are_a_map_in_a_file(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("millrace.yaml");
        Files.writeString(
                file, "access:\n  networks:\n    10.0.0.0/8: viewer\n    \"fd00::/8\": operator\n");
        assertThat(Settings.read(Optional.of(file), List.of(), Map.of()).access().networks())
                .containsOnly(
                        Map.entry(Network.of("10.0.0.0/8"), Role.VIEWER),
                        Map.entry(Network.of("fd00::/8"), Role.OPERATOR));
    }

    @Test
    void a_role_or_mode_that_does_not_exist_is_told() {
        refused(
                "--set access.networks: 'king' is not one of viewer, operator, engineer, admin.",
                "access.networks=10.0.0.0/8=king");
        refused(
                "--set access.mode: 'tokens' is not one of open, token.",
                "access.mode=tokens",
                "http.host=0.0.0.0");
        refused(
                "--set log.level: 'loud' is not one of error, warn, info, debug, trace.",
                "log.level=loud");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.168.1.7", "gateway.local"})
    void who_can_be_reached_by_others_needs_tokens(String host) {
        refused(
                "--set http.host: '%s' can be reached from other machines, and with access.mode"
                                .formatted(host)
                        + " open everybody there may do everything. Type --set access.mode=token"
                        + " (and ./millrace token makes tokens), or --set http.host=127.0.0.1.",
                "http.host=" + host);
        assertThat(set("http.host=" + host, "access.mode=token").http().host()).isEqualTo(host);
        assertThat(set("http.host=localhost").access().mode()).isEqualTo(Mode.OPEN);
    }

    @Test
    void every_setting_of_the_example_is_its_default(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("millrace.yaml");
        String example = SettingsText.example(Settings.KEYS);
        Files.writeString(file, example);
        assertThat(Settings.read(Optional.of(file), List.of(), Map.of())).isEqualTo(set());
        String all = example.replaceAll("(?m)^#(?=[a-z])", "");
        assertThat(all.lines().filter(line -> line.matches("[a-z].*")))
                .hasSize(Settings.KEYS.all().size());
        Files.writeString(file, all);
        assertThat(Settings.read(Optional.of(file), List.of(), Map.of())).isEqualTo(set());
    }

    @Test
    void the_example_in_the_documentation_is_what_it_prints() throws IOException {
        assertThat(Files.readString(Path.of("../docs/millrace.yaml")))
                .as("after a change of settings: ./millrace check --example > docs/millrace.yaml")
                .isEqualTo(SettingsText.example(Settings.KEYS));
    }

    @Test
    void credentials_are_taken_out_of_whatever_is_printed() {
        assertThat(Terminal.withoutSecrets("see 'redis://ann:se@s/me@host:1/2' and x@y"))
                .isEqualTo("see 'redis://host:1/2' and x@y");
    }
}
