package dev.millrace.bench.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

class RaceTest {
    private final List<String> lines = new ArrayList<>();
    private TestServer redis;
    private RaceServer server;

    @BeforeEach
    void start() {
        redis = TestServer.start();
        server = RaceServer.open(Optional.of(redis.url()));
    }

    @AfterEach
    void stop() {
        server.close();
        redis.close();
    }

    private Report race(Pace pace, Contestant... contestants) throws InterruptedException {
        return new Race(List.of(contestants), pace, server, lines::add).run();
    }

    private static Pace counting(int warmups, int rounds, int count) {
        return new Pace(8, warmups, rounds, Duration.ZERO, count);
    }

    private String turns() {
        return lines.stream()
                .map(line -> line.substring(line.indexOf('(') + 1, line.indexOf(')')))
                .collect(Collectors.joining());
    }

    @Test
    void each_contestant_does_its_count_in_every_round_and_each_round_begins_with_another()
            throws InterruptedException {
        AtomicLong one = new AtomicLong();
        AtomicLong other = new AtomicLong();
        race(
                counting(1, 3, 100),
                new Contestant("x", "one", thread -> one.incrementAndGet()),
                new Contestant("y", "other", thread -> other.incrementAndGet()));
        assertThat(one).hasValue(400);
        assertThat(other).hasValue(400);
        assertThat(turns()).isEqualTo("yx" + "xy" + "yx" + "xy");
    }

    @Test
    void every_thread_has_its_number() throws InterruptedException {
        AtomicLong seen = new AtomicLong();
        race(
                new Pace(8, 0, 1, Duration.ofMillis(200), 0),
                new Contestant(
                        "x",
                        "sets a bit",
                        thread -> {
                            seen.accumulateAndGet(1L << thread, (a, b) -> a | b);
                            Thread.sleep(1);
                        }));
        assertThat(seen).hasValue(0xFF);
    }

    @Test
    void the_database_is_empty_before_each_turn_and_in_the_end() throws InterruptedException {
        Contestant writer =
                new Contestant(
                        "x",
                        "expects nothing there",
                        thread -> {
                            if (redis.command("SET", "key", "1", "NX") == null) {
                                throw new IllegalStateException("not empty");
                            }
                        });
        race(new Pace(1, 1, 2, Duration.ZERO, 1), writer);
        assertThat(redis.command("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void an_operation_that_fails_ends_the_race_and_says_whose_it_was() {
        Contestant failing =
                new Contestant(
                        "x",
                        "the one that fails",
                        thread -> {
                            throw new IllegalStateException("out of order");
                        });
        assertThatThrownBy(() -> race(counting(0, 1, 100), failing))
                .isInstanceOf(RaceException.class)
                .hasMessageContainingAll("(x)", "the one that fails", "out of order");
    }

    @Test
    void a_database_that_is_not_empty_is_refused_and_left_alone() {
        redis.command("SET", "precious", "1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RaceServer.open(Optional.of(redis.url())))
                .withMessageContaining("not empty");
        assertThat(redis.command("GET", "precious")).isEqualTo("1");
    }

    @Test
    void processor_time_of_the_server_is_measured() {
        long before = server.cpuNanos();
        server.call("EVAL", "for i = 1, 2e7 do end", "0");
        assertThat(server.cpuNanos() - before).isGreaterThan(10_000_000);
    }

    @Test
    void the_report_gives_medians_spreads_and_ratios_within_rounds() {
        Contestant fast = new Contestant("x", "fast", thread -> {});
        Contestant slow = new Contestant("y", "slow", thread -> {});
        Report report =
                new Report(
                        Map.of(
                                fast, List.of(turn(4000), turn(1000), turn(2000)),
                                slow, List.of(turn(1000), turn(500), turn(400))),
                        counting(0, 3, 1),
                        "none");
        assertThat(report.table(List.of("y")))
                .contains("| x | fast | **2,000** (1,000–4,000) |", "| 4.00 |")
                .contains("| y | slow | **500** (400–1,000) |", "| 1.00 | 1.00 |");
        assertThat(Figures.median(new double[] {8, 1, 4, 2})).isEqualTo(3, within(1e-9));
    }

    private static Turn turn(long perSecond) {
        return new Turn(perSecond, 1_000_000_000, 1_000_000_000, 1_000_000_000, 0);
    }
}
