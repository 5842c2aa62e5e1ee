package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.TestSentinels;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Primaries killed, paused and exchanged under sentinels, while many owners write. */
final class SentinelFaultTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> OWNERS =
            IntStream.range(0, 20).mapToObj(i -> "owner" + i).toList();

    private static TestSentinels group;

    @BeforeAll
    static void start() {
        group = TestSentinels.start(2);
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void empty() {
        group.awaitReplicas();
        group.flushAll();
    }

    private static Redis open(String durability) {
        return Redis.open(
                RedisOptions.of(group.url())
                        .withTimes(PATIENCE, Duration.ofSeconds(2))
                        .withDurability(Durability.of(durability)));
    }

    private static Keyspace keyspace(Redis redis) {
        return new Keyspace(redis, Plant.CATALOGUE);
    }

    private static void nothingHasDrifted(Keyspace keyspace) {
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "replicas:1"})
    void a_killed_primary_s_writers_go_on_at_the_next_one(String durability) {
        for (int round = 0; round < (FULL ? 10 : 1); round++) {
            group.flushAll();
            try (Redis redis = open(durability);
                    OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 500)) {
                logs.awaitEachDone(owner -> true);
                TestServer killed = group.primary();
                killed.kill();
                logs.awaitEachDone(owner -> true);
                logs.stop().doneUnknownOrUnavailable();
                // Without replicas a failover may lose what was done last; it may not halve it.
                logs.agree(durability.equals("replicas:1"));
                nothingHasDrifted(keyspace(redis));
                killed.restart();
                group.awaitReplicas();
            }
        }
    }

    @Test
    void a_primary_that_was_only_silent_takes_no_acknowledged_write_with_it() {
        try (Redis redis = open("replicas:1");
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 500)) {
            logs.awaitEachDone(owner -> true);
            TestServer silent = group.primary();
            silent.pause();
            logs.awaitEachDone(owner -> true);
            silent.resume();
            logs.awaitEachDone(owner -> true);
            logs.stop().doneUnknownOrUnavailable();
            logs.agree(true);
            nothingHasDrifted(keyspace(redis));
        }
    }

    @Test
    void who_remembers_a_place_in_a_feed_of_the_old_primary_is_told_to_reload() {
        Topic topic = Topic.named("changes");
        try (Redis redis = open("memory")) {
            Keyspace keyspace = keyspace(redis);
            byte[] body = "x".getBytes(StandardCharsets.UTF_8);
            keyspace.commit("pump").with(keyspace.feed(topic).fact(body)).run().orThrow();
            FeedCursor cursor = keyspace.feed(topic).now();
            assertThat(keyspace.feed(topic).since(cursor, 9)).isInstanceOf(Changes.Facts.class);
            TestServer killed = group.primary();
            killed.kill();
            await().until(
                            () ->
                                    keyspace.commit("pump")
                                            .with(keyspace.feed(topic).fact(body))
                                            .run()
                                            .isDone());
            assertThat(keyspace.feed(topic).since(cursor, 9)).isInstanceOf(Changes.Reload.class);
            killed.restart();
        }
    }

    @Test
    void one_sentinel_that_lives_is_enough_to_find_the_primary() {
        TestServer first = group.sentinels().getFirst();
        first.pause();
        try (Redis redis = open("memory")) {
            assertThat(redis.primaries()).hasSize(1);
        } finally {
            first.resume();
        }
    }

    @Test
    void a_name_that_no_sentinel_knows_is_refused_with_a_sentence() {
        String url = group.url().replace("/plant", "/brewery");
        assertThatThrownBy(() -> Redis.open(RedisOptions.of(url)))
                .isInstanceOf(RedisException.class)
                .hasMessageContaining("knows no primary that is called brewery");
    }
}
