package dev.millrace.keyspace.redis;

import static dev.millrace.keyspace.redis.Sent.outcome;
import static dev.millrace.keyspace.redis.Sent.outcomes;
import static dev.millrace.keyspace.redis.Sent.read;
import static dev.millrace.keyspace.redis.Sent.send;
import static dev.millrace.keyspace.redis.Sent.unavailable;
import static dev.millrace.keyspace.redis.Sent.unknown;
import static dev.millrace.keyspace.redis.Sent.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.SlowLine;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A server that is down, silent, busy or far away: each request ends in the right one of three. */
final class ConnectionFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static RedisOptions oneLane(String url) {
        return RedisOptions.of(url).withLanes(1);
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(120, TimeUnit.SECONDS).until(condition);
    }

    // ---------------------------------------------------------------- opening

    @Test
    void a_server_that_is_down_is_named_in_a_sentence() {
        String url;
        try (TestServer server = TestServer.start()) {
            url = server.url();
        }
        RedisException failure =
                catchThrowableOfType(
                        RedisException.class, () -> Redis.open(RedisOptions.of(url)).close());
        assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(failure).hasMessageContaining(url.substring("redis://".length()));
        assertThat(failure.getMessage()).endsWith(".");
    }

    @Test
    void a_server_that_takes_the_connection_and_says_nothing_is_given_up() {
        try (TestServer server = TestServer.start()) {
            server.pause();
            RedisException failure =
                    catchThrowableOfType(
                            RedisException.class,
                            () -> Redis.open(oneLane(server.url()).withTimes(SHORT, SHORT)));
            assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
            server.resume();
        }
    }

    @Test
    void the_wrong_sort_of_url_is_refused_and_leaves_no_thread_behind() {
        String single = SharedServers.standalone().url();
        String cluster = SharedServers.cluster().url();
        Set<Thread> before = watchdogs();
        for (String url :
                List.of(
                        single.replace("redis://", "redis-cluster://"),
                        cluster.replace("redis-cluster://", "redis://").replaceAll(",.*", ""))) {
            RedisException failure =
                    catchThrowableOfType(
                            RedisException.class, () -> Redis.open(RedisOptions.of(url)).close());
            assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
            assertThat(failure.getMessage()).contains("redis://").endsWith(".");
        }
        until(() -> before.containsAll(watchdogs()));
    }

    private static Set<Thread> watchdogs() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("redis-watchdog"))
                .collect(Collectors.toSet());
    }

    // ---------------------------------------------------------------- down

    @Test
    void a_server_that_dies_and_returns_is_found_again() {
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(SHORT, LONG))) {
            assertThat(outcome(redis, write("SET", "a", "1")).isDone()).isTrue();
            server.kill();
            // The first may still have been written into the dead connection.
            Outcome<String> first = outcome(redis, write("SET", "b", "1"));
            assertThat(unavailable(first) || unknown(first)).as("%s", first).isTrue();
            for (int i = 0; i < 3; i++) {
                assertThat(outcome(redis, write("SET", "c", "1"))).matches(Sent::unavailable);
                assertThat(outcome(redis, read("GET", "a"))).matches(Sent::unavailable);
            }
            server.restart();
            until(() -> outcome(redis, write("SET", "d", "1")).isDone());
            assertThat(server.command("EXISTS", "b", "c")).isEqualTo(0L);
        }
    }

    @Test
    void a_write_on_its_way_is_unknown_and_not_sent_again() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(oneLane(line.url()).withTimes(LONG, LONG))) {
            outcome(redis, write("SET", "a", "1"));
            line.hold();
            CompletableFuture<@Nullable Object> lost = redis.send(write("APPEND", "list", "1"));
            until(() -> line.held() > 0);
            CompletableFuture<@Nullable Object> waiting = redis.send(write("APPEND", "list", "2"));
            line.cut();
            assertThat(outcome(lost)).matches(Sent::unknown);
            assertThat(outcome(waiting)).isEqualTo(Outcome.done("1"));
            assertThat(server.command("GET", "list")).isEqualTo("2");
            assertThat(redis.figures().unknown()).isEqualTo(1);
        }
    }

    @Test
    void a_read_on_its_way_is_sent_again_and_so_is_a_write_that_may_be() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(oneLane(line.url()).withTimes(LONG, LONG))) {
            outcome(redis, write("SET", "a", "1"));
            line.hold();
            CompletableFuture<@Nullable Object> read = redis.send(read("GET", "a"));
            CompletableFuture<@Nullable Object> twice = redis.send(write("SET", "b", "2").twice());
            until(() -> line.held() > 0);
            line.cut();
            assertThat(outcome(read)).isEqualTo(Outcome.done("1"));
            assertThat(outcome(twice)).isEqualTo(Outcome.done("OK"));
        }
    }

    @Test
    void a_write_that_was_sent_once_and_cannot_be_sent_again_is_unknown() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(oneLane(line.url()).withTimes(SHORT, LONG))) {
            outcome(redis, write("SET", "a", "1"));
            line.hold();
            CompletableFuture<@Nullable Object> lost = redis.send(write("SET", "a", "2").twice());
            until(() -> line.held() > 0);
            line.refuse(true);
            line.cut();
            assertThat(outcome(lost)).matches(Sent::unknown);
            assertThat(outcome(redis, write("SET", "a", "3").twice())).matches(Sent::unavailable);
            assertThat(outcome(redis, read("GET", "a"))).matches(Sent::unavailable);
        }
    }

    @Test
    void what_arrives_late_does_not_overtake_what_was_sent_after_it() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis = Redis.open(oneLane(line.url()).withTimes(LONG, SHORT))) {
            outcome(redis, write("SET", "log", "0"));
            line.hold();
            assertThat(outcome(redis, write("APPEND", "log", "1"))).matches(Sent::unknown);
            assertThat(outcome(redis, write("APPEND", "log", "2")).isDone()).isTrue();
            line.release();
            // A round trip on the late connection would be proof; it is dead, so time has to do.
            await().during(300, TimeUnit.MILLISECONDS)
                    .atMost(120, TimeUnit.SECONDS)
                    .until(() -> "02".equals(server.command("GET", "log")));
        }
    }

    // ---------------------------------------------------------------- silent

    @Test
    void a_silent_server_keeps_nobody_waiting_and_works_when_it_wakes() {
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(oneLane(server.url()).withTimes(SHORT, SHORT))) {
            outcome(redis, write("SET", "a", "1"));
            server.pause();
            List<CompletableFuture<@Nullable Object>> writes = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                writes.add(redis.send(write("APPEND", "log", i + ",")));
            }
            List<Outcome<String>> ends = outcomes(writes);
            assertThat(ends).allMatch(end -> unknown(end) || unavailable(end));
            assertThat(outcome(redis, write("APPEND", "log", "x"))).matches(Sent::unavailable);
            assertThat(outcome(redis, read("GET", "a"))).matches(Sent::unavailable);
            server.resume();
            until(() -> outcome(redis, write("APPEND", "log", "end")).isDone());
            String log = String.valueOf(server.command("GET", "log"));
            for (int i = 0; i < ends.size(); i++) {
                if (unavailable(ends.get(i))) {
                    assertThat(log).doesNotContain("," + i + ",");
                }
            }
        }
    }

    @Test
    void a_server_that_takes_connections_but_is_silent_keeps_nobody_longer_than_patience() {
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(oneLane(server.url()).withTimes(SHORT, LONG))) {
            outcome(redis, write("SET", "a", "1"));
            server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            server.pause();
            // The lane has to connect anew, gets no answer for a minute, and nothing was sent.
            long start = System.nanoTime();
            Outcome<String> first = outcome(redis, write("SET", "a", "2"));
            Outcome<String> second = outcome(redis, write("SET", "a", "2"));
            assertThat(unavailable(first) || unknown(first)).isTrue();
            assertThat(second).matches(Sent::unavailable);
            assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
            server.resume();
        }
    }

    @Test
    void callbacks_may_send_again_also_when_a_request_has_expired() {
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(SHORT, LONG))) {
            outcome(redis, write("SET", "a", "1"));
            server.pause();
            List<CompletableFuture<@Nullable Object>> ends = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                ends.add(stubborn(redis, i, 5));
            }
            until(() -> ends.stream().anyMatch(CompletableFuture::isDone) || !server.alive());
            server.resume();
            outcomes(ends);
            until(() -> outcome(redis, write("SET", "a", "2")).isDone());
        }
    }

    /** Tries again from within the callback of its failure, on the same lane and on others. */
    private static CompletableFuture<@Nullable Object> stubborn(Redis redis, int order, int tries) {
        byte[][] command = {Wire.ascii("SET"), Wire.ascii("key" + order), Wire.ascii("1")};
        CompletableFuture<@Nullable Object> answer;
        try {
            answer = redis.send(Request.writing(order, 0, command));
        } catch (RedisException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return tries == 0
                ? answer
                : answer.exceptionallyCompose(
                        failure -> stubborn(redis, order + 1 + tries % 4, tries - 1));
    }

    // ---------------------------------------------------------------- busy

    @Test
    void a_server_busy_with_a_script_is_asked_again_until_patience_ends() {
        try (TestServer server = TestServer.start("busy-reply-threshold 50");
                RawConnection other = server.connect();
                Redis hasty = Redis.open(oneLane(server.url()).withTimes(SHORT, LONG));
                Redis patient = Redis.open(oneLane(server.url()).withTimes(LONG, LONG))) {
            outcome(hasty, write("SET", "a", "0"));
            outcome(patient, write("SET", "a", "0"));
            other.send("EVAL", "while true do end", "0");
            until(() -> outcome(hasty, read("GET", "a")).failedBy(Reason.UNAVAILABLE));
            assertThat(outcome(hasty, write("INCR", "a"))).matches(Sent::unavailable);
            CompletableFuture<@Nullable Object> waits = patient.send(write("INCRBY", "a", "10"));
            assertThat(outcome(hasty, write("INCR", "a"))).matches(Sent::unavailable);
            assertThat(waits).isNotDone();
            server.command("SCRIPT", "KILL");
            assertThat(outcome(waits)).isEqualTo(Outcome.done("10"));
            assertThat(outcome(hasty, read("GET", "a"))).isEqualTo(Outcome.done("10"));
        }
    }

    // ---------------------------------------------------------------- bounds

    @Test
    void more_than_the_queue_takes_is_refused_at_once() {
        int bound = 100;
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server);
                Redis redis =
                        Redis.open(oneLane(line.url()).withQueue(bound).withTimes(LONG, LONG))) {
            outcome(redis, write("SET", "a", "1"));
            line.hold();
            CompletableFuture<@Nullable Object> travelling = redis.send(write("INCR", "n"));
            until(() -> line.held() > 0);
            List<CompletableFuture<@Nullable Object>> waiting = new ArrayList<>();
            for (int i = 0; i < 3 * bound; i++) {
                waiting.add(send(redis, write("INCR", "n")));
            }
            List<CompletableFuture<@Nullable Object>> refused =
                    waiting.subList(bound, waiting.size());
            assertThat(refused).allMatch(CompletableFuture::isDone);
            assertThat(outcomes(refused)).allMatch(Sent::unavailable);
            assertThat(redis.figures().waiting()).isEqualTo(bound);
            assertThat(redis.figures().refused()).isEqualTo(2L * bound);
            line.release();
            assertThat(outcome(travelling).isDone()).isTrue();
            assertThat(outcomes(waiting.subList(0, bound))).allMatch(Outcome::isDone);
            assertThat(server.command("GET", "n")).isEqualTo(Integer.toString(bound + 1));
        }
    }

    @Test
    void closing_answers_everybody_who_waits() {
        try (TestServer server = TestServer.start();
                SlowLine line = SlowLine.to(server)) {
            Redis redis = Redis.open(oneLane(line.url()).withTimes(LONG, LONG));
            outcome(redis, write("SET", "a", "1"));
            line.hold();
            List<CompletableFuture<@Nullable Object>> sent = new ArrayList<>();
            sent.add(redis.send(write("INCR", "n")));
            until(() -> line.held() > 0);
            sent.add(redis.send(write("INCR", "n")));
            sent.add(redis.send(read("GET", "n")));
            sent.add(redis.send(write("SET", "b", "1").twice()));
            redis.close();
            List<Outcome<String>> ends = outcomes(sent);
            assertThat(ends.getFirst()).matches(Sent::unknown);
            assertThat(ends.subList(1, 4)).allMatch(Sent::unavailable);
            assertThat(outcome(redis, write("INCR", "n"))).matches(Sent::unavailable);
            assertThat(server.command("EXISTS", "n", "b")).isEqualTo(0L);
        }
    }

    @Test
    void closing_while_a_server_is_away_or_silent_answers_everybody_too() {
        for (boolean silent : List.of(true, false)) {
            try (TestServer server = TestServer.start()) {
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG));
                outcome(redis, write("SET", "a", "1"));
                server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                if (silent) {
                    server.pause();
                } else {
                    server.kill();
                }
                List<CompletableFuture<@Nullable Object>> sent = new ArrayList<>();
                for (int order = 0; order < 64; order++) {
                    byte[][] command = {Wire.ascii("INCR"), Wire.ascii("n" + order)};
                    sent.add(redis.send(Request.writing(order, 0, command)));
                    sent.add(redis.send(Request.reading(order, 0, command)));
                }
                long start = System.nanoTime();
                redis.close();
                assertThat(outcomes(sent)).allMatch(end -> unavailable(end) || unknown(end));
                assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
            }
        }
    }

    // ---------------------------------------------------------------- connections of one's own

    @Test
    void a_blocking_command_on_a_connection_of_its_own_holds_nobody_up() throws Exception {
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(oneLane(server.url()));
                OwnConnection own = redis.own(0)) {
            CompletableFuture<@Nullable Object> popped = blockedPop(server, own);
            for (int i = 0; i < 100; i++) {
                assertThat(outcome(redis, write("INCR", "n")).isDone()).isTrue();
            }
            assertThat(popped).isNotDone();
            assertThat(outcome(redis, write("RPUSH", "jobs", "one")).isDone()).isTrue();
            List<?> job = (List<?>) popped.get(60, TimeUnit.SECONDS);
            assertThat(job.get(1)).isEqualTo(Wire.ascii("one"));
        }
    }

    @Test
    void closing_a_connection_of_ones_own_or_all_ends_what_blocks_on_it() {
        for (boolean all : List.of(true, false)) {
            try (TestServer server = TestServer.start()) {
                Redis redis = Redis.open(oneLane(server.url()));
                OwnConnection own = redis.own(0);
                CompletableFuture<@Nullable Object> popped = blockedPop(server, own);
                if (all) {
                    redis.close();
                } else {
                    own.close();
                }
                assertThat(popped)
                        .failsWithin(LONG)
                        .withThrowableThat()
                        .withCauseInstanceOf(OutcomeUnknownException.class);
                until(() -> server.info("blocked_clients").equals(Optional.of("0")));
                redis.close();
            }
        }
    }

    private static CompletableFuture<@Nullable Object> blockedPop(
            TestServer server, OwnConnection own) {
        byte[][] command = {Wire.ascii("BLPOP"), Wire.ascii("jobs"), Wire.ascii("60")};
        CompletableFuture<@Nullable Object> popped =
                CompletableFuture.supplyAsync(
                        () -> own.block(LONG, command), Thread::startVirtualThread);
        until(() -> server.info("blocked_clients").equals(Optional.of("1")));
        return popped;
    }

    @Test
    void a_connection_of_ones_own_that_broke_says_so() {
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(oneLane(server.url()));
                OwnConnection own = redis.own(0)) {
            server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            assertThat(
                            catchThrowableOfType(
                                    RedisException.class, () -> own.call(Wire.ascii("PING"))))
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThat(redis.own(0).call(Wire.ascii("PING"))).isEqualTo(Wire.ascii("PONG"));
        }
    }
}
