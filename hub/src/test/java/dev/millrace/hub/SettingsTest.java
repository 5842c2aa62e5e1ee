package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.redis.RedisOptions;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class SettingsTest {

    @Test
    void nothing_said_means_the_defaults() {
        assertThat(SettingsReader.read(List.of(), Map.of("PATH", "/bin", "MILL", "1")))
                .isEqualTo(Settings.DEFAULTS)
                .isEqualTo(new Settings(Optional.empty(), Path.of("data"), 0, Optional.empty()));
    }

    @Test
    void every_key_is_mapped() {
        assertThat(
                        SettingsReader.read(
                                List.of(
                                        "redis.url=redis://:a=b@host:7000/2",
                                        "data.dir=/srv/millrace",
                                        "redis.embedded.port=7001",
                                        "redis.embedded.binary=/opt/valkey-server"),
                                Map.of()))
                .isEqualTo(
                        new Settings(
                                Optional.of(RedisOptions.of("redis://:a=b@host:7000/2")),
                                Path.of("/srv/millrace"),
                                7001,
                                Optional.of(Path.of("/opt/valkey-server"))));
        assertThat(Settings.KEYS).hasSize(4);
    }

    @Test
    void the_environment_counts_and_the_command_line_counts_more() {
        Map<String, String> environment =
                Map.of("MILLRACE_DATA_DIR", "one", "MILLRACE_REDIS_EMBEDDED_PORT", "7001");
        Settings settings =
                SettingsReader.read(List.of("data.dir=two", "data.dir=three"), environment);
        assertThat(settings.dataDir()).isEqualTo(Path.of("three"));
        assertThat(settings.embeddedPort()).isEqualTo(7001);
    }

    @Test
    void an_empty_value_is_the_default() {
        assertThat(SettingsReader.read(List.of("redis.url=", "data.dir="), Map.of()))
                .isEqualTo(Settings.DEFAULTS);
    }

    @Test
    void all_mistakes_are_told_at_once() {
        assertThatThrownBy(
                        () ->
                                SettingsReader.read(
                                        List.of(
                                                "redis.ulr=x",
                                                "colour=green",
                                                "data.dir",
                                                "redis.url=http://host",
                                                "redis.embedded.port=65536"),
                                        Map.of("MILLRACE_DATADIR", "x")))
                .isInstanceOfSatisfying(
                        BadSettingsException.class,
                        e ->
                                assertThat(e.problems())
                                        .containsExactly(
                                                "The environment variable MILLRACE_DATADIR is no"
                                                    + " setting; did you mean MILLRACE_DATA_DIR?",
                                                "There is no setting 'redis.ulr'; did you mean"
                                                        + " redis.url?",
                                                "There is no setting 'colour'; there are redis.url,"
                                                        + " data.dir, redis.embedded.port,"
                                                        + " redis.embedded.binary.",
                                                "--set takes key=value; data.dir has no value.",
                                                "redis.url: A Redis URL begins with redis:// or"
                                                        + " redis-cluster://, not 'http://'.",
                                                "redis.embedded.port: '65536' is no port; use 1 to"
                                                        + " 65535, or 0 for a free one."));
    }

    @Test
    void a_value_that_lost_its_key_is_not_repeated() {
        assertThatThrownBy(() -> SettingsReader.read(List.of("redis://:sesame@host"), Map.of()))
                .hasMessageStartingWith("There is no setting of that name")
                .hasMessageNotContaining("sesame");
    }

    @Test
    void credentials_are_taken_out_of_whatever_is_printed() {
        assertThat(Terminal.withoutSecrets("see 'redis://ann:se@s/me@host:1/2' and x@y"))
                .isEqualTo("see 'redis://host:1/2' and x@y");
    }
}
