package dev.millrace.keyspace.redis.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

final class RedisOptionsTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "redis://10.0.0.1,                        10.0.0.1:6379,       -,    -,      0",
                "redis://host:7000,                       host:7000,           -,    -,      0",
                "redis://host:7000/3,                     host:7000,           -,    -,      3",
                "redis://:secret@host,                    host:6379,           -,    secret, 0",
                "redis://secret@host,                     host:6379,           -,    secret, 0",
                "redis://ann:se%3Acret@host:1/2,          host:1,              ann,  se:cret, 2",
                "redis://ann:a@b@host,                    host:6379,           ann,  a@b,    0",
                "redis://ann:a+b@host,                    host:6379,           ann,  a+b,    0",
                "redis://[::1]:7000,                      ::1:7000,            -,    -,      0",
                "redis://[::1],                           ::1:6379,            -,    -,      0",
            })
    void a_url_is_taken_apart(
            String url, String address, String user, String password, int database) {
        RedisOptions options = RedisOptions.of(url);
        assertThat(options.endpoints()).extracting(Endpoint::address).containsExactly(address);
        assertThat(options.user()).isEqualTo(user);
        assertThat(options.password()).isEqualTo(password);
        assertThat(options.database()).isEqualTo(database);
        assertThat(options.cluster()).isFalse();
    }

    @Test
    void a_cluster_url_lists_its_nodes() {
        RedisOptions options = RedisOptions.of("redis-cluster://ann:x@one:1,two:2, three:3");
        assertThat(options.cluster()).isTrue();
        assertThat(options.endpoints())
                .isEqualTo(
                        List.of(
                                new Endpoint("one", 1),
                                new Endpoint("two", 2),
                                new Endpoint("three", 3)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host:6379                  | begins with redis://, redis-cluster:// or"
                        + " redis-sentinel://",
                "http://host                | begins with redis://, redis-cluster:// or"
                        + " redis-sentinel://",
                "redissed://host            | begins with redis://, redis-cluster:// or"
                        + " redis-sentinel://",
                "redis-sentinel://a:1,b:2   | needs the name of the primary",
                "redis-sentinel://a:1/m/x   | is not a valid database number",
                "redis://                   | names no host",
                "redis://host:no            | is not a valid port",
                "redis://host:70000         | is not a valid port",
                "redis://host/x             | is not a valid database number",
                "redis://host/-1            | is not a valid database number",
                "redis://a:1,b:2            | takes one address",
                "redis-cluster://a:1/3      | database 0 only",
            })
    void a_bad_url_is_refused_with_a_sentence(String url, String part) {
        assertThatThrownBy(() -> RedisOptions.of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(part);
    }

    @Test
    void a_sentinel_url_names_the_primary() {
        RedisOptions options = RedisOptions.of("redis-sentinel://ann:x@one,two:2/my%20site/3");
        assertThat(options.topology()).isEqualTo(new Topology.Sentinel("my site", null));
        assertThat(options.endpoints())
                .isEqualTo(List.of(new Endpoint("one", 26379), new Endpoint("two", 2)));
        assertThat(options.database()).isEqualTo(3);
        assertThat(options.cluster()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "rediss://host:1/2,              rediss://host:1/2",
        "rediss-cluster://a:1,           rediss-cluster://a:1",
        "rediss-sentinel://a:1/m/4,      rediss-sentinel://a:1/m/4",
        "redis-sentinel://x:y@a:1/m,     redis-sentinel://a:1/m",
        "redis://ann:topsecret@host:1/2, redis://host:1/2",
    })
    void it_is_printed_as_a_url_without_the_password(String url, String printed) {
        RedisOptions options = RedisOptions.of(url);
        assertThat(options).hasToString(printed);
        assertThat(options.tls() != null).isEqualTo(url.startsWith("rediss"));
        assertThat(options.login().toString()).doesNotContain("topsecret");
    }

    @ParameterizedTest
    @CsvSource({"memory, 0", "fsync, 0", "replicas:1, 1", "replicas:9, 9"})
    void a_durability_is_read_as_it_is_printed(String text, int replicas) {
        assertThat(Durability.of(text)).hasToString(text);
        assertThat(Durability.of(text).replicas()).isEqualTo(replicas);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "disk", "replicas", "replicas:0", "replicas:10", "Fsync"})
    void a_durability_that_is_none_is_refused(String text) {
        assertThatThrownBy(() -> Durability.of(text))
                .hasMessageContaining("write memory, fsync or replicas:1");
    }

    @Test
    void a_password_of_sentinels_needs_sentinels() {
        assertThatThrownBy(() -> RedisOptions.of("redis://a").withSentinelPassword("x"))
                .hasMessageContaining("redis-sentinel://");
    }
}
