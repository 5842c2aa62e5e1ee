package dev.millrace.keyspace.redis;

import static dev.millrace.keyspace.redis.Sent.outcome;
import static dev.millrace.keyspace.redis.Sent.outcomes;
import static dev.millrace.keyspace.redis.Sent.read;
import static dev.millrace.keyspace.redis.Sent.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.FakeServer;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.SlowLine;
import dev.millrace.keyspace.testing.TestServer;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Who may overtake whom on a lane, and what leaves together. */
final class OvertakingTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Script SCRIPT = Script.of(BatchTest.class, "nothing");

    private static Redis open(String url) {
        return Redis.open(RedisOptions.of(url).withLanes(1).withTimes(LONG, LONG));
    }

    private static Request call(String word) {
        return Request.script(SCRIPT, 0, 0, new byte[][] {{'k'}}, Wire.ascii(word));
    }

    /**
     * Three calls of one owner that nobody waits for, of which the server sends the first back.
     *
     * @return in which order it executed them
     */
    private static List<String> executed(String refusal, UnaryOperator<Request> kind) {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch gathered = new CountDownLatch(1);
        List<String> executed = new CopyOnWriteArrayList<>();
        ConcurrentHashMap<String, Boolean> refused = new ConcurrentHashMap<>();
        try (FakeServer server =
                        FakeServer.start(
                                command -> {
                                    String last = command.getLast();
                                    if (command.getFirst().equals("FIRST")) {
                                        first.countDown();
                                        await(gathered);
                                    } else if (last.equals("1")
                                            && refused.put(last, true) == null) {
                                        return "-" + refusal + "\r\n";
                                    } else if (command.getFirst().equals("EVALSHA")) {
                                        executed.add(last);
                                    }
                                    return "+OK\r\n";
                                });
                Redis redis = open(server.url())) {
            List<CompletableFuture<@Nullable Object>> answers = new ArrayList<>();
            answers.add(redis.send(read("FIRST")));
            await(first);
            for (String word : List.of("1", "2", "3")) {
                answers.add(redis.send(kind.apply(call(word))));
            }
            gathered.countDown();
            assertThat(outcomes(answers)).allMatch(Outcome::isDone);
            return List.copyOf(executed);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await().atMost(120, TimeUnit.SECONDS).until(condition);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOSCRIPT none", "TRYAGAIN later", "LOADING it", "BUSY script"})
    void what_has_an_order_is_not_overtaken_by_what_came_later(String refusal) {
        assertThat(executed(refusal, request -> request)).containsExactly("1", "2", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOSCRIPT none", "TRYAGAIN later", "LOADING it", "BUSY script"})
    void what_has_no_order_does_not_wait_for_one_that_was_sent_back(String refusal) {
        assertThat(executed(refusal, Request::unordered)).containsExactly("2", "3", "1");
    }

    @Test
    void writes_of_one_owner_that_have_no_order_leave_in_one_batch() {
        try (SlowLine line = SlowLine.to(SharedServers.standalone());
                Redis redis = open(line.url())) {
            SharedServers.standalone().flushAll();
            assertThat(batches(redis, line, request -> request)).isEqualTo(20);
            assertThat(batches(redis, line, Request::unordered)).isEqualTo(1);
            assertThat(SharedServers.standalone().command("GET", "n")).isEqualTo("40");
        }
    }

    /** In how many batches twenty writes leave that have gathered. */
    private static long batches(Redis redis, SlowLine line, UnaryOperator<Request> kind) {
        CompletableFuture<@Nullable Object> travelling = travelling(redis, line);
        long before = redis.figures().batches();
        List<CompletableFuture<@Nullable Object>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(redis.send(kind.apply(write("INCR", "n"))));
        }
        line.release();
        assertThat(outcome(travelling).isDone()).isTrue();
        assertThat(outcomes(answers)).allMatch(Outcome::isDone);
        CompletableFuture<@Nullable Object> last = travelling(redis, line);
        long after = redis.figures().batches();
        line.release();
        assertThat(outcome(last).isDone()).isTrue();
        // But the two that were held, and the one before the last.
        return after - before - 2;
    }

    /** One that is held on its way: all batches before it count by now, and it does not yet. */
    private static CompletableFuture<@Nullable Object> travelling(Redis redis, SlowLine line) {
        while (true) {
            outcome(redis, read("GET", "n"));
            line.hold();
            CompletableFuture<@Nullable Object> answer = redis.send(read("GET", "n"));
            until(() -> line.held() > 0);
            if (redis.figures().waiting() == 0) {
                return answer;
            }
            // The machine stood still, and a PING went before it.
            line.release();
            outcome(answer);
        }
    }

    // ---------------------------------------------------------------- two at once

    @Test
    void two_questions_of_one_order_leave_in_one_batch() {
        try (TestServer server = TestServer.start();
                Redis redis = open(server.url())) {
            outcome(redis, write("SET", "a", "1"));
            outcome(redis, write("SET", "b", "2"));
            outcome(redis, read("GET", "a"));
            long before = redis.figures().batches();
            for (int i = 0; i < 100; i++) {
                Request first = read("GET", "a");
                Request second = read("GET", "b");
                redis.submit(first, second);
                assertThat(outcome(second.answer())).isEqualTo(Outcome.done("2"));
                assertThat(outcome(first.answer())).isEqualTo(Outcome.done("1"));
            }
            assertThat(redis.figures().batches() - before).isBetween(99L, 101L);
        }
    }

    @Test
    void two_writes_of_one_order_are_done_in_theirs() {
        try (TestServer server = TestServer.start();
                Redis redis = open(server.url())) {
            StringBuilder expected = new StringBuilder();
            Request last = write("GET", "text");
            for (int i = 0; i < 100; i++) {
                last = write("APPEND", "text", "b" + i);
                redis.submit(write("APPEND", "text", "a" + i), last);
                expected.append('a').append(i).append('b').append(i);
            }
            assertThat(outcome(last.answer()).isDone()).isTrue();
            assertThat(server.command("GET", "text")).isEqualTo(expected.toString());
        }
    }

    @Test
    void where_the_queue_is_full_both_are_refused_and_neither_is_sent() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis =
                        Redis.open(
                                RedisOptions.of(line.url())
                                        .withLanes(1)
                                        .withQueue(1)
                                        .withTimes(LONG, LONG))) {
            outcome(redis, write("SET", "n", "0"));
            line.hold();
            CompletableFuture<@Nullable Object> travelling = redis.send(write("INCR", "n"));
            until(() -> line.held() > 0);
            CompletableFuture<@Nullable Object> waiting = redis.send(write("INCR", "n"));
            RedisException refusal =
                    catchThrowableOfType(
                            RedisException.class,
                            () -> redis.submit(write("INCR", "n"), write("INCR", "n")));
            assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
            line.release();
            assertThat(outcome(travelling).isDone()).isTrue();
            assertThat(outcome(waiting)).isEqualTo(Outcome.done("2"));
            assertThat(server.command("GET", "n")).isEqualTo("2");
        }
    }
}
