package dev.millrace.keyspace.redis;

import static dev.millrace.keyspace.redis.Sent.outcome;
import static dev.millrace.keyspace.redis.Sent.outcomes;
import static dev.millrace.keyspace.redis.Sent.read;
import static dev.millrace.keyspace.redis.Sent.write;
import static dev.millrace.keyspace.testing.FakeServer.HANG_UP;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.FakeServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers that a real server gives only by bad luck: whatever comes back, everybody is answered.
 */
final class AnswerFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Script SCRIPT = Script.of(BatchTest.class, "nothing");

    private static Redis open(FakeServer server) {
        return open(server, LONG);
    }

    private static Redis open(FakeServer server, Duration patience) {
        return Redis.open(RedisOptions.of(server.url()).withLanes(1).withTimes(patience, LONG));
    }

    private static Request commit(int order) {
        return Request.grouped(
                SCRIPT, null, order, 0, Frame.of(new byte[] {'k'}), Frame.of(new byte[0]));
    }

    private static Request script(int order) {
        return Request.script(SCRIPT, order, 0, new byte[][] {{'k'}});
    }

    /** Keeps the lane busy with one request while others gather behind it into one batch. */
    private static final class Gate {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        /** The server's answer to {@code FIRST}. */
        String pass() {
            arrived.countDown();
            await(open);
            return "+OK\r\n";
        }

        List<Outcome<String>> sendTogether(Redis redis, Request... all) {
            List<CompletableFuture<@Nullable Object>> answers = new ArrayList<>();
            answers.add(redis.send(read("FIRST")));
            await(arrived);
            for (Request each : all) {
                answers.add(redis.send(each));
            }
            open.countDown();
            return outcomes(answers.subList(1, answers.size()));
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRYAGAIN later",
                "LOADING it",
                "BUSY script",
                "MASTERDOWN link",
                "CLUSTERDOWN down",
                "NOSCRIPT none"
            })
    void what_was_not_executed_is_sent_again(String error) {
        AtomicInteger refusals = new AtomicInteger();
        try (FakeServer server =
                        FakeServer.start(
                                command ->
                                        refusals.incrementAndGet() <= 3
                                                ? "-" + error + "\r\n"
                                                : "*1\r\n:7\r\n");
                Redis redis = open(server)) {
            assertThat(outcome(redis, commit(1))).isEqualTo(Outcome.done("7"));
            assertThat(refusals).hasValue(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRYAGAIN later", "LOADING it", "BUSY script", "NOSCRIPT none"})
    void what_is_never_executed_is_not_done(String error) {
        try (FakeServer server = FakeServer.start(command -> "-" + error + "\r\n");
                Redis redis = open(server, SHORT)) {
            assertThat(outcome(redis, commit(1))).matches(Sent::unavailable);
            assertThat(outcome(redis, read("GET", "a"))).matches(Sent::unavailable);
        }
    }

    @Test
    void a_batch_that_breaks_after_some_were_sent_back_answers_everybody() {
        Gate gate = new Gate();
        AtomicInteger calls = new AtomicInteger();
        try (FakeServer server =
                        FakeServer.start(
                                command ->
                                        switch (command.getFirst()) {
                                            case "FIRST" -> gate.pass();
                                            case "EVALSHA" ->
                                                    calls.incrementAndGet() == 1
                                                            ? "-NOSCRIPT none\r\n"
                                                            : ":1\r\n";
                                            case "GET" -> "$1\r\nv\r\n";
                                            default -> HANG_UP;
                                        });
                Redis redis = open(server)) {
            List<Outcome<String>> ends =
                    gate.sendTogether(redis, script(1), write("SET", "a", "1"), read("GET", "a"));
            assertThat(ends.get(0)).isEqualTo(Outcome.done("1"));
            assertThat(ends.get(1)).matches(Sent::unknown);
            assertThat(ends.get(2)).isEqualTo(Outcome.done("v"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*1\r\n:1\r\n", // one item for two commits
                "+OK\r\n",
                "$-1\r\n",
                "?what\r\n",
                "-MOVED\r\n",
                "-MOVED 1 nowhere\r\n",
                "-ASK 1 nowhere:x\r\n",
                "*-7\r\n"
            })
    void nonsense_leaves_nobody_waiting_and_the_lane_alive(String nonsense) {
        Gate gate = new Gate();
        AtomicInteger calls = new AtomicInteger();
        try (FakeServer server =
                        FakeServer.start(
                                command ->
                                        switch (command.getFirst()) {
                                            case "FIRST" -> gate.pass();
                                            case "EVALSHA" ->
                                                    calls.incrementAndGet() == 1
                                                            ? nonsense
                                                            : "*1\r\n:1\r\n";
                                            default -> "$1\r\nv\r\n";
                                        });
                Redis redis = open(server)) {
            List<Outcome<String>> ends =
                    gate.sendTogether(
                            redis,
                            read("GET", "a"),
                            commit(1),
                            commit(2),
                            read("GET", "a"),
                            write("SET", "a", "1"));
            assertThat(ends.get(0)).isEqualTo(Outcome.done("v"));
            assertThat(ends.subList(1, 3)).allMatch(Sent::unknown);
            assertThat(ends.get(3)).isEqualTo(Outcome.done("v"));
            assertThat(outcome(redis, commit(1))).isEqualTo(Outcome.done("1"));
        }
    }

    @Test
    void a_node_that_does_not_know_its_own_name_is_the_one_that_was_asked() {
        Endpoint asked = new Endpoint("10.0.0.1", 7000);
        assertThat(Endpoint.parse(":7001", asked)).isEqualTo(new Endpoint("10.0.0.1", 7001));
        assertThat(Endpoint.parse("?:7001", asked)).isEqualTo(new Endpoint("10.0.0.1", 7001));
        assertThat(Endpoint.parse("h:7001", asked)).isEqualTo(new Endpoint("h", 7001));
    }

    @ParameterizedTest
    @ValueSource(strings = {"OOM full", "READONLY replica", "NOPERM no", "ERR why"})
    void a_second_sending_that_fails_says_nothing_about_the_first(String error) {
        AtomicInteger calls = new AtomicInteger();
        try (FakeServer server =
                        FakeServer.start(
                                command ->
                                        calls.incrementAndGet() == 1
                                                ? HANG_UP
                                                : "-" + error + "\r\n");
                Redis redis = open(server)) {
            assertThat(outcome(redis, commit(1).twice())).matches(Sent::unknown);
            assertThat(outcome(redis, commit(1).twice()).isDone()).isFalse();
            assertThat(outcome(redis, commit(1).twice())).matches(end -> !Sent.unknown(end));
        }
    }

    @Test
    void a_script_that_fails_while_it_runs_may_have_written_something() {
        try (FakeServer server =
                        FakeServer.start(
                                command -> "-WRONGTYPE bad script: 01, on @user_script:9.\r\n");
                Redis redis = open(server)) {
            assertThat(outcome(redis, commit(1))).matches(Sent::unknown);
            assertThat(outcome(redis, read("GET", "a")).failedBy(Reason.WRONG_TYPE)).isTrue();
        }
    }

    @Test
    void writes_of_one_owner_stay_in_order_when_the_server_sends_some_of_them_back() {
        List<String> executed = new ArrayList<>();
        AtomicInteger calls = new AtomicInteger();
        List<String> errors =
                List.of("NOSCRIPT none", "TRYAGAIN later", "LOADING it", "BUSY b", "OOM full");
        try (FakeServer server =
                        FakeServer.start(
                                command -> {
                                    int call = calls.incrementAndGet();
                                    if (call % 3 != 0) {
                                        return "-" + errors.get(call % errors.size()) + "\r\n";
                                    }
                                    int keys = Integer.parseInt(command.get(2));
                                    StringBuilder replies = new StringBuilder("*" + keys + "\r\n");
                                    for (String number :
                                            command.subList(3 + keys, command.size())) {
                                        executed.add(number);
                                        replies.append(":1\r\n");
                                    }
                                    return replies.toString();
                                });
                Redis redis = open(server)) {
            List<CompletableFuture<@Nullable Object>> answers = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int owner = i % 3;
                Frame key = new Frame().add("k");
                Frame number = new Frame().add(owner + ":" + (1000 + i));
                answers.add(redis.send(Request.grouped(SCRIPT, null, owner, 0, key, number)));
            }
            List<Outcome<String>> ends = outcomes(answers);
            for (int owner = 0; owner < 3; owner++) {
                String mine = owner + ":";
                List<String> expected = new ArrayList<>();
                for (int i = owner; i < 300; i += 3) {
                    if (ends.get(i).isDone()) {
                        expected.add(mine + (1000 + i));
                    } else {
                        assertThat(ends.get(i).failedBy(Reason.FULL)).isTrue();
                    }
                }
                assertThat(executed.stream().filter(each -> each.startsWith(mine)))
                        .containsExactlyElementsOf(expected);
            }
        }
    }
}
