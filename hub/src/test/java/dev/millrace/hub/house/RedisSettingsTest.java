package dev.millrace.hub.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.SettingsText;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Topology;
import dev.millrace.keyspace.testing.TestCertificates;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class RedisSettingsTest {
    private static final Keys KEYS = new Keys(List.of(RedisSettings.BLOCK.keys()));

    private static Values values(String... set) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(set), Map.of());
    }

    @Test
    void nothing_said_means_the_defaults() {
        Values values = values();
        RedisSettings settings = RedisSettings.BLOCK.read(values);
        assertThat(settings.server()).isEmpty();
        assertThat(settings.durability()).isEqualTo(new Durability.Memory());
        assertThat(settings.redis().patience()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.redis().embedded())
                .isEqualTo(new RedisSettings.Embedded(0, Optional.empty(), Optional.empty()));
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void every_key_is_mapped() {
        Values values =
                values(
                        "redis.url=redis://:a=b@host:7000/2",
                        "durability=replicas:2",
                        "redis.patience=7s",
                        "redis.embedded.port=7001",
                        "redis.embedded.memory=512MB",
                        "redis.embedded.binary=/opt/valkey-server");
        RedisSettings settings = RedisSettings.BLOCK.read(values);
        assertThat(settings.server())
                .contains(
                        RedisOptions.of("redis://:a=b@host:7000/2")
                                .withDurability(new Durability.Replicas(2))
                                .withTimes(Duration.ofSeconds(7), Duration.ofSeconds(5)));
        assertThat(settings.durability()).isEqualTo(new Durability.Replicas(2));
        assertThat(settings.redis().patience()).isEqualTo(Duration.ofSeconds(7));
        assertThat(settings.redis().embedded())
                .isEqualTo(
                        new RedisSettings.Embedded(
                                7001,
                                Optional.of(new Bytes(512L << 20)),
                                Optional.of(Path.of("/opt/valkey-server"))));
        assertThat(values.problems()).isEmpty();
        assertThat(RedisSettings.BLOCK.keys().keys()).hasSize(10);
    }

    @Test
    void sentinels_and_encryption_are_mapped(@TempDir Path directory) {
        new TestCertificates(directory).make("hub", "dns:hub", "EC");
        Values values =
                values(
                        "redis.url=rediss-sentinel://a:1,b:2/site",
                        "redis.sentinel.password=word",
                        "redis.tls.ca=" + directory.resolve("hub.crt"),
                        "redis.tls.cert=" + directory.resolve("hub.crt"),
                        "redis.tls.key=" + directory.resolve("hub.key"));
        RedisOptions options = RedisSettings.BLOCK.read(values).server().orElseThrow();
        assertThat(options.topology()).isEqualTo(new Topology.Sentinel("site", "word"));
        assertThat(options.tls()).isNotNull();
        assertThat(values.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "durability=disk | durability: 'disk' is not a valid durability; write memory,"
                        + " fsync or replicas:1 to replicas:9.",
                "durability=replicas:1 | durability: the embedded Redis has no replicas; name one"
                        + " that has in redis.url, or choose fsync.",
                "redis.url=http://host durability=replicas:1 | redis.url: A Redis URL begins with"
                        + " redis://, redis-cluster:// or redis-sentinel:// (rediss… if it is"
                        + " encrypted), not 'http://'.",
                "redis.embedded.memory=lots | redis.embedded.memory: 'lots' is not a valid size;"
                        + " write 16KiB, 512MiB or 4GiB.",
                "redis.url=redis://a redis.tls.cert=x | redis.tls.cert: an encrypted connection"
                        + " needs a rediss... URL in redis.url.",
                "redis.url=rediss://a redis.tls.ca=/none/x.crt | redis.tls.ca: /none/x.crt does not"
                        + " exist.",
                "redis.url=rediss://a redis.tls.key=x | redis.tls.key: A certificate of our own"
                        + " needs its key, and a key its certificate.",
                "redis.url=redis://a redis.sentinel.password=word | redis.sentinel.password: A"
                        + " password for sentinels needs a redis-sentinel:// URL.",
            })
    void a_mistake_is_told_in_a_sentence(String set, String sentence) {
        Values values = values(set.split(" ", -1));
        RedisSettings.BLOCK.read(values);
        assertThat(values.problems()).containsExactly("--set " + sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:sesame@host:1",
                "redis://ann:se@same@host:1/2",
                "redis://:sesame",
                "redis://:sesame@host:sesame",
                "redis:/ann:sesame@host",
                "sesame",
                "redis://host/sesame"
            })
    void a_password_is_never_shown(String url) {
        Values values = values("redis.url=" + url, "redis.sentinel.password=sesame");
        RedisSettings.BLOCK.read(values);
        assertThat(values.problems() + SettingsText.table(KEYS, values)).doesNotContain("same");
    }
}
