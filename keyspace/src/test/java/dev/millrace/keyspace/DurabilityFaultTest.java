package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.UnconfirmedException;
import dev.millrace.keyspace.testing.TestCluster;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Promises about durability: refused where they cannot be kept, and kept where they were made. */
final class DurabilityFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static RedisOptions options(String url, String durability) {
        return RedisOptions.of(url)
                .withTimes(LONG, LONG)
                .withReplicaTime(Duration.ofMillis(300))
                .withDurability(Durability.of(durability));
    }

    private static Outcome<Long> write(Keyspace keyspace) {
        return keyspace.commit("pump").increment(Plant.COUNTER.at("pump"), 1).run();
    }

    // ---------------------------------------------------------------- fsync

    @ParameterizedTest
    @CsvSource({
        "appendonly,                no",
        "appendfsync,               everysec",
        "appendfsync,               no",
        "no-appendfsync-on-rewrite, yes",
    })
    void fsync_is_refused_on_a_server_that_does_not_sync_each_write(String name, String value) {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always")) {
            server.command("CONFIG", "SET", name, value);
            assertThatThrownBy(() -> Redis.open(options(server.url(), "fsync")))
                    .isInstanceOf(RedisException.class)
                    .hasMessageContaining("its %s is %s".formatted(name, value))
                    .hasMessageContaining("CONFIG SET " + name);
            Redis.open(options(server.url(), "memory")).close();
        }
    }

    @Test
    void fsync_is_refused_where_it_cannot_be_seen() {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always")) {
            server.command("ACL", "SETUSER", "ann", "on", ">x", "~*", "&*", "+@all", "-config");
            String url = server.url().replace("redis://", "redis://ann:x@");
            assertThatThrownBy(() -> Redis.open(options(url, "fsync")))
                    .hasMessageContaining("+config|get");
        }
    }

    @Test
    void a_server_that_comes_back_without_its_promise_gets_no_writes() {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always");
                Redis redis = Redis.open(options(server.url(), "fsync"))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            assertThat(write(keyspace).isDone()).isTrue();
            server.command("CONFIG", "SET", "appendfsync", "everysec");
            server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            await().until(() -> write(keyspace).failedBy(Reason.REFUSED));
            server.command("CONFIG", "SET", "appendfsync", "always");
            await().until(() -> write(keyspace).isDone());
        }
    }

    // ---------------------------------------------------------------- replicas

    @Test
    void replicas_are_refused_where_there_are_too_few() {
        try (TestServer server = TestServer.start()) {
            assertThatThrownBy(() -> Redis.open(options(server.url(), "replicas:1")))
                    .hasMessageContaining("replicas:1")
                    .hasMessageContaining("has 0");
        }
    }

    @Test
    void what_a_silent_replica_does_not_confirm_is_stored_and_said_to_be_unconfirmed() {
        try (TestServer primary = TestServer.start();
                TestServer replica = replicaOf(primary);
                Redis redis = Redis.open(options(primary.url(), "replicas:1"))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            // A replica that is merely slow is silent too; sooner or later it is quick enough.
            await().until(() -> write(keyspace).isDone());
            long before = Long.parseLong(String.valueOf(primary.command("GET", "counter:pump")));
            replica.pause();
            Outcome<Long> outcome = write(keyspace);
            assertThat(outcome).isInstanceOf(Outcome.Unconfirmed.class);
            assertThat(outcome.isStored()).isTrue();
            assertThatThrownBy(outcome::orThrow).isInstanceOf(UnconfirmedException.class);
            assertThat(primary.command("GET", "counter:pump")).isEqualTo(Long.toString(before + 1));
            assertThat(keyspace.store(Plant.DOCUMENTS).create(new Plant.Document("doc", "text")))
                    .isInstanceOf(Outcome.Unconfirmed.class);
            assertThat(keyspace.store(Plant.DOCUMENTS).get("doc")).isPresent();
            assertThat(keyspace.commit("pump").absent(Plant.COUNTER.at("pump")).run())
                    .matches(checked -> checked.failedBy(Reason.DUPLICATE));
            assertThat(redis.figures().unconfirmed()).isGreaterThanOrEqualTo(2);
            replica.resume();
            await().until(() -> write(keyspace).isDone());
            assertThat(replica.command("EXISTS", "counter:pump")).isEqualTo(1L);
        }
    }

    private static TestServer replicaOf(TestServer primary) {
        TestServer replica = TestServer.start();
        replica.command("REPLICAOF", primary.host(), Integer.toString(primary.port()));
        await().until(
                        () ->
                                replica.info("master_link_status").orElse("").equals("up")
                                        && primary.info("connected_slaves").orElse("").equals("1"));
        return replica;
    }

    @Test
    void a_lost_primary_of_a_cluster_takes_no_confirmed_write_with_it() {
        List<String> owners = IntStream.range(0, 20).mapToObj(i -> "owner" + i).toList();
        try (TestCluster cluster = TestCluster.startWithReplicas();
                Redis redis = Redis.open(options(cluster.url(), "replicas:1"));
                OwnerLogs logs =
                        OwnerLogs.start(new Keyspace(redis, Plant.CATALOGUE), owners, 500)) {
            logs.awaitEachDone(owner -> true);
            TestServer killed = cluster.killPrimary(0);
            cluster.awaitFailover(0, killed);
            // Its third has no replica now, so that nothing can be confirmed there.
            killed.restart();
            cluster.awaitOk();
            logs.awaitEachDone(owner -> true);
            logs.stop().doneUnknownOrUnavailable();
            logs.agree(true);
            assertThat(new Keyspace(redis, Plant.CATALOGUE).check().run().findings()).isEmpty();
        }
    }
}
