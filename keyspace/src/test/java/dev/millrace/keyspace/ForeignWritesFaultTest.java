package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.foreign.ForeignWrites.Noticed;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestSentinels;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Somebody writes with a plain client, and it is noticed, also when the connection was away. */
final class ForeignWritesFaultTest {
    private static final KeyPattern VALUES = Plant.VALUES.pattern();
    private static final KeyPattern RULES = Plant.RULES.pattern();
    private static final KeyPattern ALARMS = Plant.ALARMS.pattern();

    private static TestServer server;
    private Redis redis;
    private Keyspace keyspace;

    private final List<Noticed> told = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.flushAll();
        redis = Redis.open(Patience.options(server.url()));
        keyspace = new Keyspace(redis, Plant.CATALOGUE);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static void until(Callable<Boolean> condition) {
        await().until(condition);
    }

    /** Listens, and has heard that everything may have changed before it listened. */
    private ForeignWrites watch(KeyPattern... patterns) {
        return watch(told::add, patterns);
    }

    private ForeignWrites watch(Consumer<Noticed> listener, KeyPattern... patterns) {
        ForeignWrites writes = keyspace.foreignWrites(List.of(patterns), listener);
        until(() -> !told.isEmpty());
        assertThat(told.getFirst().everything()).containsExactlyInAnyOrder(patterns);
        told.clear();
        return writes;
    }

    private boolean heard(KeyPattern pattern, String key) {
        return told.stream().anyMatch(each -> each.keysOf(pattern).contains(key));
    }

    private boolean heardEverything(KeyPattern pattern) {
        return told.stream().anyMatch(each -> each.everythingOf(pattern));
    }

    private void noticed(KeyPattern pattern, String key, String... command) {
        told.clear();
        server.command(command);
        until(() -> heard(pattern, key));
    }

    @Test
    void whatever_a_plain_client_does_to_a_key_is_noticed() {
        try (ForeignWrites writes = watch(VALUES)) {
            noticed(VALUES, "values:pump", "HSET", "values:pump", "101", "86.2");
            noticed(VALUES, "values:pump", "HSET", "values:pump", "101", "86.2");
            noticed(VALUES, "values:pump", "EXPIRE", "values:pump", "1000");
            noticed(VALUES, "values:pump", "RENAME", "values:pump", "values:valve");
            assertThat(heard(VALUES, "values:valve")).isTrue();
            noticed(VALUES, "values:valve", "HDEL", "values:valve", "101");
            noticed(VALUES, "values:valve", "SET", "values:valve", "x");
            noticed(VALUES, "values:valve", "DEL", "values:valve");
            noticed(VALUES, "values:v", "EVAL", "redis.call('SET', KEYS[1], 1)", "1", "values:v");
            noticed(VALUES, "values:w", "SET", "values:w", "soon gone");
            noticed(VALUES, "values:w", "PEXPIRE", "values:w", "1");
            until(() -> Long.valueOf(0).equals(server.command("EXISTS", "values:w")));
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void a_key_that_expires_is_noticed() {
        server.command("SET", "values:pump", "x", "PX", "60000");
        try (ForeignWrites writes = watch(VALUES)) {
            noticed(VALUES, "values:pump", "PEXPIRE", "values:pump", "40");
            told.clear();
            until(() -> heard(VALUES, "values:pump"));
            assertThat(server.command("EXISTS", "values:pump")).isEqualTo(0L);
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void what_is_emptied_is_noticed_as_everything() {
        try (ForeignWrites writes = watch(VALUES, RULES)) {
            for (String command : List.of("FLUSHALL", "FLUSHDB")) {
                told.clear();
                server.command(command);
                until(() -> heardEverything(VALUES));
                assertThat(heardEverything(RULES)).isTrue();
                noticed(VALUES, "values:pump", "HSET", "values:pump", "101", "1");
            }
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void own_commits_are_noticed_like_all_others() {
        try (ForeignWrites writes = watch(VALUES)) {
            keyspace.commit("pump").setFields(Plant.VALUES.at("pump"), Map.of("101", "3")).run();
            until(() -> heard(VALUES, "values:pump"));
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void keys_of_no_pattern_are_not_told_and_those_of_two_are_told_of_both() {
        KeyPattern one = KeyPattern.of("alarm:rule:{rule:name}");
        try (ForeignWrites writes = watch(VALUES, one, ALARMS)) {
            server.command("SET", "value", "x");
            server.command("SET", "values:not/a/name", "x");
            server.command("SET", "other", "x");
            server.command("HSET", "alarm:rule:hot", "source", "values:pump");
            server.command("HSET", "alarm:hot", "status", "active");
            noticed(VALUES, "values:end", "HSET", "values:end", "101", "1");
            Set<String> all = new TreeSet<>();
            told.forEach(each -> each.keys().values().forEach(all::addAll));
            assertThat(all).doesNotContain("value", "values:not/a/name", "other");
            noticed(one, "alarm:rule:hot", "HSET", "alarm:rule:hot", "source", "x");
            noticed(ALARMS, "alarm:hot", "HSET", "alarm:hot", "status", "cleared");
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void a_connection_that_was_killed_comes_back_and_says_that_everything_may_have_changed() {
        try (ForeignWrites writes = watch(VALUES)) {
            for (int round = 0; round < 3; round++) {
                told.clear();
                server.command("CLIENT", "KILL", "TYPE", "pubsub");
                server.command("HSET", "values:pump", "101", "unheard" + round);
                until(() -> heardEverything(VALUES));
                noticed(VALUES, "values:pump", "HSET", "values:pump", "101", "1");
            }
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void a_server_that_was_restarted_is_listened_to_again() {
        try (TestServer own = TestServer.start();
                Redis other = Redis.open(Patience.options(own.url()))) {
            Keyspace there = new Keyspace(other, Plant.CATALOGUE);
            try (ForeignWrites writes = there.foreignWrites(List.of(VALUES), told::add)) {
                until(() -> heardEverything(VALUES));
                own.kill();
                until(() -> !writes.connected());
                told.clear();
                own.restart();
                until(() -> heardEverything(VALUES));
                own.command("HSET", "values:pump", "101", "1");
                until(() -> heard(VALUES, "values:pump"));
            }
        }
    }

    @Test
    void under_sentinels_it_listens_to_the_primary_of_the_moment() {
        try (TestSentinels group = TestSentinels.start(1);
                Redis other = Redis.open(Patience.options(group.url()))) {
            group.awaitReplicas();
            Keyspace there = new Keyspace(other, Plant.CATALOGUE);
            try (ForeignWrites writes = there.foreignWrites(List.of(VALUES), told::add)) {
                until(() -> heardEverything(VALUES));
                TestServer killed = group.primary();
                killed.kill();
                told.clear();
                until(() -> heardEverything(VALUES) && group.primary() != killed);
                group.primary().command("HSET", "values:pump", "101", "1");
                until(() -> heard(VALUES, "values:pump"));
                assertThat(writes.connected()).isTrue();
            }
        }
    }

    @Test
    void a_listener_that_takes_its_time_is_told_all_of_the_meantime_at_once() {
        CountDownLatch busy = new CountDownLatch(1);
        List<Noticed> calls = new CopyOnWriteArrayList<>();
        Consumer<Noticed> slow =
                noticed -> {
                    told.add(noticed);
                    if (heard(VALUES, "values:first")) {
                        calls.add(noticed);
                        awaitQuietly(busy);
                    }
                };
        try (ForeignWrites writes = watch(slow, VALUES)) {
            server.command("HSET", "values:first", "101", "1");
            until(() -> calls.size() == 1);
            for (int i = 0; i < 300; i++) {
                server.command("HSET", "values:c" + i % 30, "101", "" + i);
            }
            busy.countDown();
            Set<String> all = new TreeSet<>();
            until(
                    () -> {
                        told.forEach(each -> all.addAll(each.keysOf(VALUES)));
                        return all.size() == 31;
                    });
            assertThat(told).as("calls").hasSizeLessThan(300);
            assertThat(writes.connected()).isTrue();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void more_keys_than_are_kept_are_told_as_everything_of_their_pattern() {
        CountDownLatch busy = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Consumer<Noticed> slow =
                noticed -> {
                    told.add(noticed);
                    if (heard(VALUES, "values:first") && calls.incrementAndGet() == 1) {
                        awaitQuietly(busy);
                    }
                };
        try (ForeignWrites writes = watch(slow, VALUES, RULES)) {
            server.command("HSET", "values:first", "101", "1");
            until(() -> calls.get() == 1);
            List<String> many = new ArrayList<>(List.of("MSET"));
            for (int i = 0; i < 10_050; i++) {
                many.addAll(List.of("values:c" + i, "x"));
            }
            server.command(many.toArray(String[]::new));
            server.command("HSET", "alarm:rule:hot", "source", "x");
            busy.countDown();
            until(() -> heardEverything(VALUES));
            until(() -> heard(RULES, "alarm:rule:hot"));
            assertThat(heardEverything(RULES)).isFalse();
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void a_listener_that_fails_is_told_again() {
        AtomicInteger failures = new AtomicInteger();
        Consumer<Noticed> failing =
                noticed -> {
                    if (noticed.keysOf(VALUES).contains("values:pump")
                            && failures.incrementAndGet() <= 2) {
                        throw new IllegalStateException("a listener with a bug");
                    }
                    told.add(noticed);
                };
        try (ForeignWrites writes = watch(failing, VALUES)) {
            noticed(VALUES, "values:pump", "HSET", "values:pump", "101", "1");
            assertThat(failures).hasValue(3);
            assertThat(writes.connected()).isTrue();
        }
    }

    @Test
    void who_closes_it_hears_no_more_and_leaves_no_connection_behind() {
        ForeignWrites writes = watch(VALUES);
        writes.close();
        until(() -> server.info("tracking_clients").orElseThrow().equals("0"));
        ForeignWrites forgotten = watch2();
        redis.close();
        until(() -> server.info("tracking_clients").orElseThrow().equals("0"));
        assertThat(forgotten.connected()).isFalse();
        assertThat(told).isEmpty();
    }

    private ForeignWrites watch2() {
        ForeignWrites writes = keyspace.foreignWrites(List.of(VALUES), noticed -> {});
        until(writes::connected);
        return writes;
    }

    @Test
    void a_pattern_that_may_be_any_key_is_refused_and_a_cluster_is_too() {
        assertThatThrownBy(() -> watch(Plant.DOCUMENTS.pattern()))
                .hasMessageContaining("may be any key");
        try (Redis cluster = Site.CLUSTER.connect()) {
            Keyspace there = new Keyspace(cluster, Plant.CATALOGUE);
            assertThatThrownBy(() -> there.foreignWrites(List.of(VALUES), told::add))
                    .hasMessageContaining("not in a cluster");
        }
    }
}
