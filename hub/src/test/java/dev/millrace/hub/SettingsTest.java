package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.redis.Durability;
import dev.millrace.keyspace.redis.RedisOptions;
import dev.millrace.keyspace.redis.Topology;
import dev.millrace.keyspace.testing.TestCertificates;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class SettingsTest {

    @Test
    void nothing_said_means_the_defaults() {
        assertThat(SettingsReader.read(List.of(), Map.of("PATH", "/bin", "MILL", "1")))
                .isEqualTo(Settings.DEFAULTS)
                .isEqualTo(
                        new Settings(
                                Optional.empty(),
                                Path.of("data"),
                                0,
                                Optional.empty(),
                                Optional.empty(),
                                new Durability.Memory()));
    }

    @Test
    void every_key_is_mapped() {
        assertThat(
                        SettingsReader.read(
                                List.of(
                                        "redis.url=redis://:a=b@host:7000/2",
                                        "data.dir=/srv/millrace",
                                        "durability=replicas:2",
                                        "redis.embedded.port=7001",
                                        "redis.embedded.memory=512MB",
                                        "redis.embedded.binary=/opt/valkey-server"),
                                Map.of()))
                .isEqualTo(
                        new Settings(
                                Optional.of(
                                        RedisOptions.of("redis://:a=b@host:7000/2")
                                                .withDurability(new Durability.Replicas(2))),
                                Path.of("/srv/millrace"),
                                7001,
                                Optional.of(Path.of("/opt/valkey-server")),
                                Optional.of(512L << 20),
                                new Durability.Replicas(2)));
        assertThat(Settings.KEYS).hasSize(10);
    }

    @Test
    void sentinels_and_encryption_are_mapped(@TempDir Path directory) {
        new TestCertificates(directory).make("hub", "dns:hub", "EC");
        RedisOptions options =
                SettingsReader.read(
                                List.of(
                                        "redis.url=rediss-sentinel://a:1,b:2/site",
                                        "redis.sentinel.password=word",
                                        "redis.tls.ca=" + directory.resolve("hub.crt"),
                                        "redis.tls.cert=" + directory.resolve("hub.crt"),
                                        "redis.tls.key=" + directory.resolve("hub.key")),
                                Map.of())
                        .redis()
                        .orElseThrow();
        assertThat(options.topology()).isEqualTo(new Topology.Sentinel("site", "word"));
        assertThat(options.tls()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "durability=disk | durability: 'disk' is no durability; write memory, fsync or"
                        + " replicas:1 to replicas:9.",
                "durability=replicas:1 | durability: the embedded Redis has no replicas; name one"
                        + " that has in redis.url, or choose fsync.",
                "redis.embedded.memory=lots | redis.embedded.memory: 'lots' is no size; write 512mb"
                        + " or 4gb.",
                "redis.url=redis://a redis.tls.ca=x | redis.tls: an encrypted connection needs a"
                        + " rediss... URL in redis.url.",
                "redis.url=rediss://a redis.tls.ca=/none/x.crt | redis.tls: /none/x.crt does not"
                        + " exist.",
                "redis.url=redis://a redis.sentinel.password=word | redis.sentinel.password: A"
                        + " password for sentinels needs a redis-sentinel:// URL.",
            })
    void a_mistake_is_told_in_a_sentence(String set, String sentence) {
        assertThatThrownBy(() -> SettingsReader.read(List.of(set.split(" ", -1)), Map.of()))
                .isInstanceOfSatisfying(
                        BadSettingsException.class,
                        e -> assertThat(e.problems()).containsExactly(sentence));
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
                                                        + " durability, data.dir,"
                                                        + " redis.embedded.port,"
                                                        + " redis.embedded.memory,"
                                                        + " redis.embedded.binary, redis.tls.ca,"
                                                        + " redis.tls.cert, redis.tls.key,"
                                                        + " redis.sentinel.password.",
                                                "--set takes key=value; data.dir has no value.",
                                                "redis.url: A Redis URL begins with redis://,"
                                                        + " redis-cluster:// or redis-sentinel://"
                                                        + " (rediss… if it is encrypted), not"
                                                        + " 'http://'.",
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
