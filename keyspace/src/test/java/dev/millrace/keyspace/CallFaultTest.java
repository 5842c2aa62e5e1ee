package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.CallScripts.Noted;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.UnconfirmedException;
import dev.millrace.keyspace.testing.SlowLine;
import dev.millrace.keyspace.testing.TestCluster;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Calls of a room's own scripts when something goes wrong: each caller is told the truth. */
final class CallFaultTest {
    private static final int CALLERS = 8;
    private static final int CALLS = 300;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Far away: only a hang reaches it. */
    private static final long CAP_SECONDS = 120;

    private static Redis open(String url) {
        return Redis.open(RedisOptions.of(url).withLanes(1).withTimes(LONG, LONG));
    }

    private static CallScripts scripts(Redis redis) {
        return new CallScripts(new Keyspace(redis, Plant.CATALOGUE));
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(CAP_SECONDS, TimeUnit.SECONDS).until(condition);
    }

    /** Why it failed; null if it did not. */
    private static @Nullable RedisException failure(CompletableFuture<?> answer) {
        try {
            answer.get(CAP_SECONDS, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return (RedisException) e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("It was not answered.", e);
        }
    }

    private static boolean failedBy(Reason reason, CompletableFuture<?> answer) {
        RedisException failure = failure(answer);
        return failure != null
                && !(failure instanceof OutcomeUnknownException)
                && failure.reason() == reason;
    }

    private static boolean unknown(CompletableFuture<?> answer) {
        return failure(answer) instanceof OutcomeUnknownException;
    }

    private static List<?> words(TestServer server, String owner) {
        return (List<?>) server.command("LRANGE", "queue:" + owner, "0", "-1");
    }

    // ---------------------------------------------------------------- scripts that fail

    @Test
    void a_script_that_fails_half_way_takes_those_of_its_call_with_it_and_nobody_else() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = open(line.url())) {
            CallScripts scripts = scripts(redis);
            server.command("SET", "counter:bad", "no number");
            // Both are loaded: one that is not known would be overtaken by the other.
            scripts.note("pump", "0").join();
            scripts.noteTogether("valve", "0").join();
            line.hold();
            CompletableFuture<Noted> travelling = scripts.note("pump", "1");
            until(() -> line.held() > 0);
            CompletableFuture<Noted> before = scripts.noteTogether("pump", "before");
            CompletableFuture<Noted> bad = scripts.noteTogether("bad", "bad");
            CompletableFuture<Noted> after = scripts.noteTogether("valve", "after");
            CompletableFuture<Noted> alone = scripts.note("pump", "alone");
            CompletableFuture<List<String>> asked = scripts.words("valve");
            line.release();
            assertThat(failure(travelling)).isNull();
            // Nobody can tell how far it came, so nobody is told that it was done, or was not.
            assertThat(Stream.of(before, bad, after)).allMatch(CallFaultTest::unknown);
            assertThat(failure(alone)).isNull();
            assertThat(failure(asked)).isNull();
            assertThat(words(server, "pump")).isEqualTo(List.of("0", "1", "before", "alone"));
            assertThat(words(server, "bad")).isEqualTo(List.of("bad"));
            assertThat(words(server, "valve")).isEqualTo(List.of("0"));
            assertThat(scripts.noteTogether("valve", "again").join().about()).isEqualTo("1");
        }
    }

    @Test
    void a_single_call_that_fails_half_way_is_unknown_and_one_that_only_reads_is_an_error() {
        try (TestServer server = TestServer.start();
                Redis redis = open(server.url())) {
            CallScripts scripts = scripts(redis);
            server.command("SET", "counter:bad", "no number");
            assertThat(unknown(scripts.note("bad", "word"))).isTrue();
            server.command("SET", "queue:bad", "no list");
            assertThat(failedBy(Reason.WRONG_TYPE, scripts.words("bad"))).isTrue();
        }
    }

    @Test
    void a_script_that_answers_with_too_little_leaves_nobody_waiting_and_the_lane_alive() {
        try (TestServer server = TestServer.start();
                Redis redis =
                        Redis.open(
                                RedisOptions.of(server.url())
                                        .withLanes(1)
                                        .withTimes(Duration.ofMillis(400), LONG))) {
            CallScripts scripts = scripts(redis);
            assertThat(unknown(scripts.answerTooLittle("pump", "word"))).isTrue();
            until(() -> failure(scripts.noteTogether("valve", "word")) == null);
        }
    }

    // ---------------------------------------------------------------- scripts that are gone

    @Test
    void scripts_flushed_while_many_call_are_loaded_again_and_every_call_is_done_once()
            throws Exception {
        try (TestServer server = TestServer.start();
                Redis redis = open(server.url())) {
            CallScripts scripts = scripts(redis);
            whileAllCall(
                    owner -> callAll(scripts, owner),
                    running -> {
                        for (int i = 0; running.get() > 0; i++) {
                            server.command("SCRIPT", "FLUSH", i % 2 == 0 ? "SYNC" : "ASYNC");
                        }
                    });
            assertThat(server.info("errorstat_NOSCRIPT")).as("it happened").isPresent();
            for (int i = 0; i < CALLERS; i++) {
                assertThat(words(server, "owner" + i)).hasSize(CALLS).doesNotHaveDuplicates();
            }
        }
    }

    /**
     * Owners that call all at the same time, and what happens meanwhile.
     *
     * @param fault hears how many of them have not ended
     */
    private static void whileAllCall(Consumer<String> calls, Consumer<AtomicInteger> fault)
            throws Exception {
        AtomicInteger running = new AtomicInteger(CALLERS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String owner = "owner" + i;
                all.add(
                        threads.submit(
                                () -> {
                                    try {
                                        calls.accept(owner);
                                    } finally {
                                        running.decrementAndGet();
                                    }
                                }));
            }
            fault.accept(running);
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private static void callAll(CallScripts scripts, String owner) {
        for (int n = 0; n < CALLS; n++) {
            String word = "word" + n;
            CompletableFuture<Noted> answer =
                    n % 2 == 0 ? scripts.note(owner, word) : scripts.noteTogether(owner, word);
            assertThat(answer.join().word()).isEqualTo(word);
            assertThat(answer.join().count()).isEqualTo(n + 1);
        }
    }

    // ---------------------------------------------------------------- a full memory

    @Test
    void a_full_server_refuses_every_member_of_a_call_and_still_answers_and_empties() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = open(line.url())) {
            CallScripts scripts = scripts(redis);
            scripts.note("pump", "0").join();
            server.command("CONFIG", "SET", "maxmemory", "1");
            line.hold();
            CompletableFuture<List<String>> travelling = scripts.words("pump");
            until(() -> line.held() > 0);
            List<CompletableFuture<Noted>> members = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                members.add(scripts.noteTogether("owner" + i, "word"));
            }
            CompletableFuture<Noted> alone = scripts.note("pump", "1");
            CompletableFuture<List<String>> read = scripts.words("pump");
            line.release();
            assertThat(failure(travelling)).isNull();
            assertThat(members).allMatch(each -> failedBy(Reason.FULL, each));
            assertThat(failedBy(Reason.FULL, alone)).isTrue();
            assertThat(read.join()).containsExactly("0");
            assertThat(scripts.clear("pump").join()).isEqualTo(1L);
            assertThat(server.command("DBSIZE")).as("the counter").isEqualTo(1L);
            server.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(scripts.noteTogether("owner0", "word").join().count()).isEqualTo(1);
        }
    }

    // ---------------------------------------------------------------- answers that were lost

    @Test
    void calls_whose_answer_was_lost_are_sent_again_and_answered_each_to_its_own() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = open(line.url())) {
            CallScripts scripts = scripts(redis);
            scripts.note("pump", "0").join();
            line.loseAnswers();
            CompletableFuture<Noted> single = scripts.note("pump", "single");
            until(() -> words(server, "pump").contains("single"));
            List<CompletableFuture<Noted>> together = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                together.add(scripts.noteTogether("owner" + i, "word" + i));
            }
            line.cut();
            // Done before and done again: so a room's script must not mind.
            assertThat(single.join().count()).isEqualTo(3);
            assertThat(words(server, "pump")).isEqualTo(List.of("0", "single", "single"));
            for (int i = 0; i < 3; i++) {
                assertThat(together.get(i).join().word()).isEqualTo("word" + i);
                assertThat(words(server, "owner" + i)).isEqualTo(List.of("word" + i));
            }
            assertThat(redis.figures().unknown()).isZero();
        }
    }

    @Test
    void calls_that_never_arrived_are_sent_again_and_done_once() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = open(line.url())) {
            CallScripts scripts = scripts(redis);
            scripts.noteTogether("pump", "0").join();
            line.hold();
            CompletableFuture<Noted> first = scripts.noteTogether("pump", "1");
            until(() -> line.held() > 0);
            CompletableFuture<Noted> second = scripts.noteTogether("pump", "2");
            line.cut();
            assertThat(failure(first)).isNull();
            assertThat(failure(second)).isNull();
            assertThat((List<Object>) new ArrayList<Object>(words(server, "pump")))
                    .containsExactlyInAnyOrder("0", "1", "2");
        }
    }

    @Test
    void a_call_sent_twice_whose_second_sending_is_refused_is_unknown() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = open(line.url())) {
            CallScripts scripts = scripts(redis);
            scripts.note("pump", "0").join();
            line.loseAnswers();
            CompletableFuture<Noted> lost = scripts.note("pump", "1");
            until(() -> words(server, "pump").contains("1"));
            server.command("CONFIG", "SET", "maxmemory", "1");
            line.cut();
            assertThat(unknown(lost)).isTrue();
        }
    }

    @Test
    void connections_killed_while_many_call_lose_no_call() throws Exception {
        try (TestServer server = TestServer.start();
                Redis redis = open(server.url())) {
            CallScripts scripts = scripts(redis);
            whileAllCall(
                    owner -> {
                        for (int n = 0; n < CALLS; n++) {
                            String word = scripts.noteTogether(owner, "w" + n).join().word();
                            assertThat(word).isEqualTo("w" + n);
                        }
                    },
                    running -> {
                        while (running.get() > 0) {
                            long before = redis.figures().requests();
                            server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                            until(
                                    () ->
                                            running.get() == 0
                                                    || redis.figures().requests() > before + 100);
                        }
                    });
            for (int i = 0; i < CALLERS; i++) {
                // Each waits for the one before it, so what is done twice is done twice in a row.
                assertThat(words(server, "owner" + i).stream().distinct().map(String::valueOf))
                        .containsExactlyElementsOf(
                                Stream.iterate(0, n -> n + 1)
                                        .limit(CALLS)
                                        .map(n -> "w" + n)
                                        .toList());
            }
        }
    }

    // ---------------------------------------------------------------- replicas

    @Test
    void what_no_replica_confirms_fails_a_call_and_not_a_question() {
        try (TestServer primary = TestServer.start();
                TestServer replica = TestServer.start()) {
            replica.command("REPLICAOF", primary.host(), Integer.toString(primary.port()));
            until(
                    () ->
                            primary.info("connected_slaves").orElse("").equals("1")
                                    && replica.info("master_link_status").orElse("").equals("up"));
            RedisOptions options =
                    RedisOptions.of(primary.url()).withDurability(Durability.of("replicas:1"));
            try (Redis redis = Redis.open(options)) {
                CallScripts scripts = scripts(redis);
                // A replica that is merely slow is silent too; sooner or later it is quick enough.
                until(
                        () -> {
                            scripts.clear("pump").join();
                            return failure(scripts.note("pump", "0")) == null;
                        });
                replica.pause();
                assertThat(failure(scripts.note("pump", "1")))
                        .isInstanceOf(UnconfirmedException.class);
                assertThat(failure(scripts.noteTogether("pump", "2")))
                        .isInstanceOf(UnconfirmedException.class);
                assertThat(scripts.words("pump").join()).containsExactly("0", "1", "2");
                assertThat(scripts.clear("pump").join()).isEqualTo(1L);
                replica.resume();
            }
        }
    }

    // ---------------------------------------------------------------- a slot that moves

    @Test
    void calls_follow_a_slot_that_moves_and_are_done_once() throws Exception {
        AtomicInteger noted = new AtomicInteger();
        AtomicBoolean moving = new AtomicBoolean(true);
        try (TestCluster cluster = TestCluster.start("cluster-node-timeout 30000");
                Redis redis = open(cluster.url());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            CallScripts scripts = new CallScripts(keyspace);
            int slot = keyspace.ground().shards().place("pump").slot();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String name = "caller" + i + "-";
                callers.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; moving.get(); n++) {
                                        assertThat(pump(scripts, n, name + n).join().word())
                                                .isEqualTo(name + n);
                                        noted.incrementAndGet();
                                    }
                                }));
            }
            try {
                for (int move = 0; move < 3; move++) {
                    moveStepByStep(cluster, slot, noted);
                }
                assertThat(cluster.nodes())
                        .anyMatch(node -> node.info("errorstat_MOVED").isPresent());
            } finally {
                moving.set(false);
            }
            for (Future<?> each : callers) {
                each.get();
            }
            assertThat(scripts.words("pump").join()).hasSize(noted.get()).doesNotHaveDuplicates();
            assertThat(redis.figures().unknown()).isZero();
        }
    }

    private static CompletableFuture<Noted> pump(CallScripts scripts, int n, String word) {
        return n % 2 == 0 ? scripts.note("pump", word) : scripts.noteTogether("pump", word);
    }

    private static void moveStepByStep(TestCluster cluster, int slot, AtomicInteger noted) {
        TestServer from = cluster.slotOwner(slot);
        TestServer to = cluster.node((cluster.nodes().indexOf(from) + 1) % 3);
        awaitMore(noted, 200);
        cluster.migrateSlotStart(slot, from, to);
        // One of two keys has gone: neither node can run a script on both.
        cluster.migrateKeys(slot, from, to, 1);
        until(() -> Stream.of(from, to).anyMatch(CallFaultTest::hasToldToTryAgain));
        // Both have gone: the old node sends everybody to the new one, each time.
        cluster.migrateKeys(slot, from, to, 1);
        awaitMore(noted, 200);
        assertThat(from.info("errorstat_ASK")).isPresent();
        cluster.migrateSlotFinish(slot, from, to);
        awaitMore(noted, 200);
    }

    private static boolean hasToldToTryAgain(TestServer node) {
        return node.info("errorstat_TRYAGAIN").isPresent();
    }

    private static void awaitMore(AtomicInteger count, int more) {
        int enough = count.get() + more;
        until(() -> count.get() >= enough);
    }
}
