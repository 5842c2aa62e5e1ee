package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.SlowLine;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Scripts flushed, connections killed and the server killed while many owners write without
 * waiting: nothing done is lost, nothing is done twice or half, and each owner's order stays.
 */
final class OrderFaultTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final int ROUNDS = FULL ? 200 : 20;
    private static final int IN_FLIGHT = 2000;
    private static final int RESTARTS = FULL ? 30 : 4;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final List<String> OWNERS =
            IntStream.range(0, 12).mapToObj(i -> "owner" + i).toList();

    private static Keyspace keyspace(Redis redis) {
        return new Keyspace(redis, Plant.CATALOGUE);
    }

    private static Redis open(TestServer server) {
        return Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG));
    }

    private static void killConnections(TestServer server) {
        server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }

    private static void nothingHasDrifted(Keyspace keyspace) {
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    @Test
    void scripts_flushed_under_load_lose_nothing_repeat_nothing_and_keep_order() {
        try (TestServer server = TestServer.start();
                Redis redis = open(server);
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 4000)) {
            logs.awaitDone(1000);
            for (int round = 0; round < ROUNDS; round++) {
                server.command("SCRIPT", "FLUSH", round % 2 == 0 ? "SYNC" : "ASYNC");
                logs.awaitDone(200);
            }
            logs.stop().allDone();
            nothingHasDrifted(keyspace(redis));
        }
    }

    @Test
    void connections_killed_under_load_lose_nothing_that_was_done_and_keep_order() {
        try (TestServer server = TestServer.start();
                Redis redis = open(server);
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 4000)) {
            for (int round = 0; round < ROUNDS; round++) {
                logs.awaitDone(300);
                killConnections(server);
                if (round % 3 == 0) {
                    server.command("SCRIPT", "FLUSH");
                }
            }
            logs.awaitDone(300).stop();
            logs.doneUnknownOrUnavailable();
            logs.agree(true);
            // Nothing was refused: a lane connects again and goes on.
            assertThat(logs.count(end -> end.failedBy(Reason.UNAVAILABLE))).isZero();
            assertThat(redis.figures().unknown()).isEqualTo(logs.unknown());
            nothingHasDrifted(keyspace(redis));
        }
    }

    @Test
    void a_server_killed_under_load_loses_nothing_that_was_done_and_keeps_order() {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always");
                Redis redis = open(server);
                OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, 2000)) {
            for (int round = 0; round < RESTARTS; round++) {
                logs.awaitDone(300);
                server.restart();
            }
            logs.awaitDone(300).stop();
            logs.doneUnknownOrUnavailable();
            logs.agree(true);
            nothingHasDrifted(keyspace(redis));
        }
    }

    @Test
    void a_server_silent_for_longer_than_we_wait_breaks_no_order() {
        try (TestServer server = TestServer.start()) {
            RedisOptions options =
                    RedisOptions.of(server.url())
                            .withTimes(Duration.ofSeconds(2), Duration.ofMillis(300));
            try (Redis redis = Redis.open(options);
                    OwnerLogs logs = OwnerLogs.start(keyspace(redis), OWNERS, IN_FLIGHT)) {
                for (int round = 0; round < RESTARTS; round++) {
                    logs.awaitDone(300);
                    // Asked before: afterwards it may have risen already, and rises only once.
                    long before = redis.figures().unknown();
                    server.pause();
                    long answered = logs.answered();
                    // Hit between two connections nothing is under way, and all are refused.
                    await().atMost(120, TimeUnit.SECONDS)
                            .until(
                                    () ->
                                            redis.figures().unknown() > before
                                                    || logs.answered() > answered + 3 * IN_FLIGHT);
                    server.resume();
                }
                logs.awaitDone(300).stop();
                logs.doneUnknownOrUnavailable();
                logs.agree(true);
                nothingHasDrifted(keyspace(redis));
            }
        }
    }

    @Test
    void a_token_counts_once_however_often_connections_break() {
        int tokens = FULL ? 20_000 : 3_000;
        try (TestServer server = TestServer.start();
                Redis redis = open(server)) {
            Keyspace keyspace = keyspace(redis);
            AtomicInteger done = new AtomicInteger();
            List<CompletableFuture<Outcome<Long>>> all = new ArrayList<>();
            for (int i = 0; i < tokens; i++) {
                String owner = OWNERS.get(i % OWNERS.size());
                all.add(
                        once(keyspace, owner, "token" + i)
                                .whenComplete((outcome, failure) -> done.incrementAndGet()));
                if (i % (tokens / ROUNDS) == 0) {
                    killConnections(server);
                }
            }
            CompletableFuture<Void> finished =
                    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
            while (!finished.isDone()) {
                int before = done.get();
                killConnections(server);
                await().atMost(120, TimeUnit.SECONDS)
                        .until(() -> finished.isDone() || done.get() > before + 100);
            }
            assertThat(all).allMatch(each -> each.join().isDone());
            long sum = 0;
            for (String owner : OWNERS) {
                sum += Long.parseLong(String.valueOf(server.command("GET", "counter:" + owner)));
            }
            assertThat(sum).isEqualTo(tokens);
            nothingHasDrifted(keyspace);
        }
    }

    private static CompletableFuture<Outcome<Long>> once(
            Keyspace keyspace, String owner, String token) {
        return keyspace.commit(owner).increment(Plant.COUNTER.at(owner), 1).once(token).send();
    }

    // ---------------------------------------------------------------- answers that were lost

    @Test
    void a_create_whose_answer_was_lost_finds_out_that_it_was_done() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(RedisOptions.of(line.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = keyspace(redis);
            Store<Event> events = keyspace.store(Plant.EVENTS);
            Event first = new Event(Shards.mint("pump"), "pump", 1, 0);
            events.create(first).orThrow();
            line.loseAnswers();
            Event second = new Event(Shards.mint("pump"), "pump", 2, 0);
            CompletableFuture<Outcome<Stored<Event>>> created = async(() -> events.create(second));
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> Long.valueOf(1).equals(server.command("EXISTS", second.id())));
            line.cut();
            assertThat(created.join().isDone()).isTrue();

            // One that never arrived stays unknown: it might still be on its way.
            events.create(new Event(Shards.mint("pump"), "pump", 3, 0)).orThrow();
            line.hold();
            Event lost = new Event(Shards.mint("pump"), "pump", 4, 0);
            CompletableFuture<Outcome<Stored<Event>>> unknown = async(() -> events.create(lost));
            await().atMost(120, TimeUnit.SECONDS).until(() -> line.held() > 0);
            line.cut();
            assertThat(unknown.join()).isInstanceOf(Outcome.Unknown.class);
            assertThat(events.get(lost.id())).isEmpty();
        }
    }

    @Test
    void a_replace_whose_answer_was_lost_is_unknown_and_whoever_asks_sees_the_new_state() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(RedisOptions.of(line.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = keyspace(redis);
            Store<Event> events = keyspace.store(Plant.EVENTS);
            Event first = new Event(Shards.mint("pump"), "pump", 1, 0);
            Stored<Event> created = events.create(first).orThrow();
            // The connection knows the script by then, and has nothing to ask before it sends.
            Stored<Event> before =
                    events.replace(created, new Event(first.id(), "pump", 2, 0)).orThrow();
            line.loseAnswers();
            Event after = new Event(first.id(), "pump", 9, 9);
            CompletableFuture<Outcome<Stored<Event>>> replaced =
                    async(() -> events.replace(before, after));
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> server.command("ZSCORE", "event:pushed", first.id()) != null);
            line.cut();
            assertThat(replaced.join()).isInstanceOf(Outcome.Unknown.class);
            assertThat(events.get(first.id()).map(Stored::value)).contains(after);
            nothingHasDrifted(keyspace);
        }
    }

    @Test
    void a_token_answers_for_a_commit_whose_checks_its_own_writes_would_fail() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(RedisOptions.of(line.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = keyspace(redis);
            keyspace.commit("pump").set(Plant.COUNTER.at("pump"), "1").run().orThrow();
            line.loseAnswers();
            Event event = new Event(Shards.mint("pump"), "pump", 1, 0);
            CompletableFuture<Outcome<Long>> sent =
                    keyspace.commit("pump")
                            .valueEquals(Plant.COUNTER.at("pump"), new byte[] {'1'})
                            .create(Plant.EVENTS, event)
                            .set(Plant.COUNTER.at("pump"), "2")
                            .log(Plant.QUEUE.at("pump"), "<", ">", 9)
                            .once("token")
                            .send();
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> "2".equals(server.command("GET", "counter:pump")));
            line.cut();
            assertThat(sent.join()).isEqualTo(Outcome.done(1L));
            assertThat(server.command("LRANGE", "queue:pump", "0", "-1")).isEqualTo(List.of("<1>"));
            nothingHasDrifted(keyspace);
        }
    }

    @Test
    void a_commit_sent_twice_whose_second_sending_is_refused_is_unknown() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(RedisOptions.of(line.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = keyspace(redis);
            keyspace.commit("pump").set(Plant.COUNTER.at("pump"), "1").run().orThrow();
            line.loseAnswers();
            CompletableFuture<Outcome<Long>> sent =
                    keyspace.commit("pump")
                            .valueEquals(Plant.COUNTER.at("pump"), new byte[] {'1'})
                            .set(Plant.COUNTER.at("pump"), "2")
                            .twice()
                            .send();
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> "2".equals(server.command("GET", "counter:pump")));
            line.cut();
            assertThat(sent.join()).isInstanceOf(Outcome.Unknown.class);
            assertThat(
                            keyspace.commit("pump")
                                    .valueEquals(Plant.COUNTER.at("pump"), new byte[] {'1'})
                                    .set(Plant.COUNTER.at("pump"), "3")
                                    .twice()
                                    .run()
                                    .failedBy(Reason.CONFLICT))
                    .isTrue();
        }
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Thread::startVirtualThread);
    }
}
