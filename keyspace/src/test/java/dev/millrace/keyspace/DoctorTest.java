package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Doctor.Advice;
import dev.millrace.keyspace.Doctor.Level;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

final class DoctorTest {

    private static List<Advice> examine(String url, InstantSource clock) {
        try (Redis redis = Redis.open(RedisOptions.of(url))) {
            return new Doctor(redis, clock).examine();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxmemory-policy allkeys-lru | BAD     | It evicts keys            | CONFIG SET"
                        + " maxmemory-policy noeviction",
                "appendonly no                | BAD     | keeps no append-only file | CONFIG SET"
                        + " appendonly yes",
                "appendonly yes               | WARNING | once a second             | CONFIG SET"
                        + " appendfsync always",
                "maxmemory 0                  | WARNING | no limit of memory        | CONFIG SET"
                        + " maxmemory",
                "maxmemory 1mb                | WARNING | of its memory             | CONFIG SET"
                        + " maxmemory",
                "notify-keyspace-events ''    | WARNING | announces no changes      | CONFIG SET"
                        + " notify-keyspace-events",
            })
    void what_is_unsafe_is_named_with_what_to_type(
            String line, Level level, String sentence, String type) {
        try (TestServer server = TestServer.start(line)) {
            assertThat(examine(server.url(), InstantSource.system()))
                    .anySatisfy(
                            advice -> {
                                assertThat(advice.level()).isEqualTo(level);
                                assertThat(advice.sentence()).contains(sentence);
                                assertThat(advice.type()).startsWith(type);
                            });
        }
    }

    @Test
    void a_server_that_is_safe_gets_no_advice() {
        try (TestServer server =
                TestServer.start(
                        "appendonly yes",
                        "appendfsync always",
                        "maxmemory 1gb",
                        "notify-keyspace-events Kgh$")) {
            assertThat(examine(server.url(), InstantSource.system()))
                    .allMatch(advice -> advice.level() == Level.GOOD);
        }
    }

    @Test
    void a_clock_that_is_far_off_is_noticed() {
        InstantSource wrong = InstantSource.fixed(Instant.EPOCH);
        assertThat(examine(SharedServers.standalone().url(), wrong))
                .anyMatch(advice -> advice.sentence().contains("seconds apart"));
    }

    @Test
    void every_primary_of_a_cluster_is_examined() {
        assertThat(examine(SharedServers.cluster().url(), InstantSource.system()))
                .filteredOn(advice -> advice.sentence().equals("The cluster is whole."))
                .hasSize(3);
    }
}
