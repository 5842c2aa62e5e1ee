package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Tls;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestCertificates;
import dev.millrace.keyspace.testing.TlsDoor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Encrypted connections: who is believed, who is not, and what a person is told. */
final class TlsTest {
    private static @TempDir Path directory;
    private static TestCertificates certificates;

    @BeforeAll
    static void make() {
        certificates =
                new TestCertificates(directory)
                        .make("server", "ip:127.0.0.1", "EC")
                        .make("elsewhere", "dns:other.example", "EC")
                        .make("hub", "dns:hub", "EC")
                        .make("hub-rsa", "dns:hub", "RSA")
                        .make("stranger", "dns:hub", "EC");
    }

    private static RedisOptions options(TlsDoor door, Tls tls) {
        return RedisOptions.of("rediss://127.0.0.1:" + door.port()).withTls(tls);
    }

    private static Tls trusting(String server) {
        return Tls.of(
                Optional.of(certificates.certificate(server)), Optional.empty(), Optional.empty());
    }

    private static Tls as(String client) {
        return Tls.of(
                Optional.of(certificates.certificate("server")),
                Optional.of(certificates.certificate(client)),
                Optional.of(certificates.key(client)));
    }

    private static TlsDoor door(String name, String client) {
        return new TlsDoor(SharedServers.standalone(), certificates, name, client);
    }

    @Test
    void commits_travel_encrypted_and_survive_a_cut() {
        SharedServers.flushAll();
        try (TlsDoor door = door("server", "hub");
                Redis redis = Redis.open(options(door, trusting("server")))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            for (int i = 1; i <= 100; i++) {
                keyspace.commit("pump").increment(Plant.COUNTER.at("pump"), 1).run().orThrow();
            }
            assertThat(SharedServers.standalone().command("GET", "counter:pump")).isEqualTo("100");
            door.cut();
            await().until(
                            () ->
                                    keyspace.commit("pump")
                                            .increment(Plant.COUNTER.at("pump"), 1)
                                            .run()
                                            .isDone());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hub", "hub-rsa"})
    void a_server_that_asks_who_we_are_gets_our_certificate(String client) {
        try (TlsDoor door = door("server", client).asking()) {
            Redis.open(options(door, as(client))).close();
            assertThatThrownBy(() -> Redis.open(options(door, as("stranger"))).close())
                    .isInstanceOf(RedisException.class);
            assertThatThrownBy(() -> Redis.open(options(door, trusting("server"))).close())
                    .isInstanceOf(RedisException.class);
        }
    }

    @Test
    void a_server_that_nobody_vouches_for_is_not_believed() {
        try (TlsDoor door = door("server", "hub")) {
            for (Tls tls : new Tls[] {Tls.standard(), trusting("elsewhere")}) {
                assertThatThrownBy(() -> Redis.open(options(door, tls)).close())
                        .hasMessageContaining("No encrypted connection to Redis at 127.0.0.1");
            }
        }
    }

    @Test
    void a_certificate_for_another_host_is_not_believed() {
        try (TlsDoor door = door("elsewhere", "hub")) {
            assertThatThrownBy(() -> Redis.open(options(door, trusting("elsewhere"))).close())
                    .hasMessageContaining("No encrypted connection to Redis at 127.0.0.1");
        }
    }

    @Test
    void a_server_that_speaks_in_the_clear_is_not_believed() {
        String url = SharedServers.standalone().url().replace("redis://", "rediss://");
        assertThatThrownBy(() -> Redis.open(RedisOptions.of(url)).close())
                .isInstanceOf(RedisException.class);
    }

    @Test
    void a_file_that_does_not_hold_what_it_should_is_named() throws IOException {
        Path missing = directory.resolve("missing.crt");
        Path empty = Files.writeString(directory.resolve("empty.crt"), "");
        Path text = Files.writeString(directory.resolve("text.key"), "no key");
        Optional<Path> none = Optional.empty();
        Optional<Path> own = Optional.of(certificates.certificate("hub"));
        assertThatThrownBy(() -> Tls.of(Optional.of(missing), none, none))
                .hasMessageContaining("missing.crt does not exist");
        assertThatThrownBy(() -> Tls.of(Optional.of(empty), none, none))
                .hasMessageContaining("empty.crt holds no certificate");
        assertThatThrownBy(() -> Tls.of(none, own, Optional.of(text)))
                .hasMessageContaining("text.key holds no private key");
        assertThatThrownBy(() -> Tls.of(none, own, own))
                .hasMessageContaining("holds no private key");
        assertThatThrownBy(() -> Tls.of(none, own, none)).hasMessageContaining("needs its key");
    }
}
