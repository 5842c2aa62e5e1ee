package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.doctor.Doctor.Advice;
import dev.millrace.keyspace.doctor.Doctor.Level;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestSentinels;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

final class DoctorTest {

    private static List<Advice> examine(String url, String durability, InstantSource clock) {
        try (Redis redis = Redis.open(Patience.options(url))) {
            return new Doctor(redis, clock).expecting(Durability.of(durability)).examine();
        }
    }

    private static List<Advice> examine(String url) {
        return examine(url, "memory", InstantSource.system());
    }

    private static void contains(List<Advice> advice, Level level, String sentence, String type) {
        assertThat(advice)
                .anySatisfy(
                        each -> {
                            assertThat(each.level()).isEqualTo(level);
                            assertThat(each.sentence()).contains(sentence);
                            assertThat(each.type()).contains(type);
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxmemory-policy allkeys-lru | memory | BAD     | throws keys away          |"
                        + " CONFIG SET maxmemory-policy noeviction",
                "appendonly no                | memory | BAD     | keeps no append-only file |"
                        + " CONFIG SET appendonly yes",
                "appendonly yes               | fsync  | BAD     | once a second             |"
                        + " CONFIG SET appendfsync always",
                "appendonly yes               | memory | WARNING | half commit               |"
                        + " CONFIG SET aof-load-truncated no",
                "appendonly yes               | memory | GOOD    | once a second             | ''",
                "appendonly no                | replicas:2 | BAD | 0 of the 2 replicas       |"
                        + " REPLICAOF 127.0.0.1",
                "maxmemory 0                  | memory | WARNING | no limit                  |"
                        + " CONFIG SET maxmemory ",
                "maxmemory 1mb                | memory | WARNING | of its memory             |"
                        + " CONFIG SET maxmemory 2097152",
                "notify-keyspace-events ''    | memory | WARNING | announces no changes      |"
                        + " CONFIG SET notify-keyspace-events",
                "bind 127.0.0.1 -::*          | memory | BAD     | has no password           |"
                        + " CONFIG SET requirepass",
            })
    void what_is_unsafe_is_named_with_what_to_type(
            String line, String durability, Level level, String sentence, String type) {
        try (TestServer server = TestServer.start(line)) {
            List<Advice> advice = examine(server.url(), durability, InstantSource.system());
            contains(advice, level, sentence, type);
            assertThat(advice)
                    .filteredOn(each -> each.type().startsWith("redis-cli"))
                    .allMatch(each -> each.type().contains("-p"));
        }
    }

    @Test
    void syncs_that_are_left_out_while_a_file_is_rewritten_are_named() {
        try (TestServer server =
                TestServer.start(
                        "appendonly yes", "appendfsync always", "no-appendfsync-on-rewrite yes")) {
            contains(
                    examine(server.url(), "fsync", InstantSource.system()),
                    Level.BAD,
                    "while it rewrites",
                    "no-appendfsync-on-rewrite no");
        }
    }

    @Test
    void what_is_typed_mends_what_it_is_for() {
        try (TestServer server =
                TestServer.start("maxmemory-policy allkeys-lru", "bind 127.0.0.1 -::*")) {
            List<Advice> before = examine(server.url(), "fsync", InstantSource.system());
            assertThat(before).anyMatch(each -> each.level() == Level.BAD);
            for (int round = 0; round < 2; round++) { // a file comes before how often it is synced
                for (Advice each : examine(server.url(), "fsync", InstantSource.system())) {
                    List<String> words = List.of(each.type().split(" ", -1));
                    if (words.contains("CONFIG") && !words.contains("requirepass")) {
                        server.command(
                                words.subList(words.indexOf("CONFIG"), words.size())
                                        .toArray(String[]::new));
                    }
                }
            }
            assertThat(examine(server.url(), "fsync", InstantSource.system()))
                    .filteredOn(each -> each.level() != Level.GOOD)
                    .allMatch(each -> each.sentence().contains("password"));
        }
    }

    @Test
    void a_server_that_is_safe_gets_no_advice() {
        try (TestServer server =
                TestServer.start(
                        "appendonly yes",
                        "appendfsync always",
                        "aof-load-truncated no",
                        "maxmemory 1gb",
                        "notify-keyspace-events Kgh$")) {
            assertThat(examine(server.url(), "fsync", InstantSource.system()))
                    .allMatch(advice -> advice.level() == Level.GOOD)
                    .anyMatch(advice -> advice.sentence().contains("Its disk has"));
        }
    }

    /** What a program says that starts its server itself. */
    private static final class OurSettings implements Doctor.Remedies {
        @Override
        public String syncAlways() {
            return "our-sync=always";
        }

        @Override
        public String memory(long bytes) {
            return "our-memory=" + bytes;
        }
    }

    @Test
    void advice_for_the_embedded_server_is_about_our_settings() {
        try (TestServer server = TestServer.start("maxmemory 0");
                Redis redis = Redis.open(Patience.options(server.url()))) {
            List<Advice> advice =
                    new Doctor(redis, InstantSource.system())
                            .ofEmbedded(new OurSettings())
                            .examine();
            contains(advice, Level.WARNING, "no limit", "our-memory=");
            assertThat(advice).noneMatch(each -> each.sentence().contains("announces"));
        }
    }

    @Test
    void a_user_who_may_not_see_the_configuration_is_told_how_to_allow_it() {
        try (TestServer server = TestServer.start()) {
            server.command("ACL", "SETUSER", "ann", "on", ">x", "~*", "&*", "+@all", "-config");
            contains(
                    examine(server.url().replace("redis://", "redis://ann:x@")),
                    Level.WARNING,
                    "may not be read",
                    "ACL SETUSER ann +config|get");
        }
    }

    @Test
    void a_clock_that_is_far_off_is_noticed() {
        InstantSource wrong = InstantSource.fixed(Instant.EPOCH);
        assertThat(examine(SharedServers.standalone().url(), "memory", wrong))
                .anyMatch(advice -> advice.sentence().contains("seconds apart"));
    }

    @Test
    void every_primary_of_a_cluster_is_examined() {
        assertThat(examine(SharedServers.cluster().url()))
                .filteredOn(advice -> advice.sentence().equals("The cluster is whole."))
                .hasSize(3);
    }

    @Test
    void sentinels_that_cannot_bring_about_a_failover_are_named() {
        try (TestSentinels group = TestSentinels.start(1)) {
            assertThat(examine(group.url()))
                    .filteredOn(advice -> advice.sentence().contains("choose another primary"))
                    .hasSize(3);
            group.sentinels().get(1).kill();
            group.sentinels().get(2).kill();
            contains(examine(group.url()), Level.BAD, "cannot bring about a failover", "");
        }
    }
}
