package dev.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.peers.StandIn;
import dev.millrace.bench.race.WholeHub;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

class MainTest {
    private final ByteArrayOutputStream results = new ByteArrayOutputStream();
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private final Out out =
            new Out(
                    new PrintStream(results, true, StandardCharsets.UTF_8),
                    new PrintStream(rest, true, StandardCharsets.UTF_8));

    private int run(String... args) {
        return Main.run(out, args);
    }

    private String said() {
        return rest.toString(StandardCharsets.UTF_8);
    }

    @Test
    void an_unknown_benchmark_ends_with_a_sentence() {
        assertThat(run("comit")).isEqualTo(2);
        assertThat(said()).contains("no benchmark 'comit'").hasLineCount(1);
    }

    @Test
    void no_benchmark_ends_with_a_sentence_that_names_one() {
        assertThat(run()).isEqualTo(2);
        assertThat(said()).contains("bench commit").hasLineCount(1);
    }

    @Test
    void an_option_that_makes_no_sense_ends_with_a_sentence() {
        assertThat(run("commit", "--rounds", "none")).isEqualTo(2);
        assertThat(run("commit", "--rounds", "0")).isEqualTo(2);
        assertThat(run("commit", "--url", "http://localhost")).isEqualTo(2);
        assertThat(run("commit", "--url", "redis-cluster://localhost:1")).isEqualTo(2);
        assertThat(said()).contains("'none'", "one round", "redis://").hasLineCount(4);
    }

    @Test
    void a_short_race_prints_a_table_with_a_row_for_each_contestant() {
        assertThat(
                        run(
                                "commit",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--count",
                                "20",
                                "--threads",
                                "4"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("4 virtual threads", "| a |", "| b |", "| b2 |", "| c |", "| d |");
    }

    @Test
    void a_short_feed_race_prints_cost_delay_and_speed() {
        assertThat(
                        run(
                                "feed",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--facts",
                                "500",
                                "--threads",
                                "4"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("| a |", "| b | one entity and a fact |", "speed ÷ (a)")
                .contains("| reader in the same keyspace | 40 |", "facts a second");
    }

    @Test
    void a_short_fsck_race_prints_latencies_and_that_nothing_is_wrong() {
        assertThat(
                        run(
                                "fsck",
                                "--entities",
                                "500",
                                "--seconds",
                                "1",
                                "--rate",
                                "200",
                                "--nice",
                                "0"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("| without fsck |", "| with fsck |", "Nothing is wrong.", "median");
    }

    @Test
    void a_short_http_race_prints_a_table_for_each_workload_with_all_servers() {
        assertThat(
                        run(
                                "http",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--connections",
                                "8"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("Empty GET", "JSON echo", "POST with one commit", "8 connections")
                .contains("| a |", "| a2 |", "| b |", "| c |", "| c2 |", "speed ÷ (b)");
    }

    @Test
    void an_http_race_of_nobody_ends_with_a_sentence() {
        assertThat(run("http", "--only", "z")).isEqualTo(2);
        assertThat(run("http", "--workloads", "dance")).isEqualTo(2);
        assertThat(run("http", "--connections", "0")).isEqualTo(2);
        assertThat(said()).contains("[a, a2, b, c, c2]", "commit", "1 to 10000").hasLineCount(3);
    }

    @Test
    void a_short_readings_race_prints_what_it_costs_to_take_events_and_to_ask_for_them() {
        assertThat(
                        run(
                                "readings",
                                "--warm",
                                "100",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--connections",
                                "4",
                                "--lot",
                                "20",
                                "--events",
                                "100",
                                "--readings",
                                "200",
                                "--sizes",
                                "50,100"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("| a |", "| a2 |", "| a3 |", "| b |", "| d1 |", "| d2 |", "Redis ÷ (d1)")
                .contains("| Redis, (a) ÷ (d1) |", "| Redis, (c) ÷ (d1) |", "| hub, (a) ÷ (b) |")
                .contains("latest 100 readings of one device", "p99 ms", "median ÷ plain")
                .contains("| 100 | ", "events stored", "Redis µs of plain `ZADD`s", "| 50 | **");
    }

    @Test
    void a_short_documents_race_prints_every_call_and_how_long_an_announcement_takes() {
        assertThat(
                        run(
                                "documents",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--connections",
                                "4",
                                "--events",
                                "20"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("4 connections", "÷ empty GET", "| get |", "| set |", "| mset |")
                .contains("mget of a namespace", "mget by 100 ids", "SET, ZADD and XADD")
                .contains("| Redis, set ÷ ceiling |", "| Redis, mget by 100 ids ÷ ceiling |")
                .contains("the ceiling", "20 times", "p99 ms");
    }

    @Test
    void a_short_pubsub_race_prints_every_call_and_how_long_a_delivery_takes() {
        assertThat(
                        run(
                                "pubsub",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--connections",
                                "4",
                                "--channels",
                                "5",
                                "--messages",
                                "20"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("4 connections", "÷ empty POST", "| publish |", "acknowledge", "fetch")
                .contains("| publish ÷ empty POST |", "20 messages", "p99 ms");
    }

    @Test
    void a_short_telemetry_race_prints_every_way_and_how_long_one_point_takes_beside_many() {
        assertThat(
                        run(
                                "telemetry",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--connections",
                                "4",
                                "--channels",
                                "5",
                                "--points",
                                "100"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("5 channels with 100 points", "4 connections", "points per second")
                .contains("| the hub, 1 point |", "| the hub, 100 points |", "(i) HSET")
                .contains("| points a second, the hub, 100 points ÷ (i) |", "at least 0.40")
                .contains("| time of Redis, (ii) ÷ the hub, 1 point |", "at least 0.85")
                .contains("| p99 ms of one point beside 1000 |");
    }

    @Test
    void a_short_alarms_race_prints_what_rules_cost_and_how_soon_a_foreign_value_is_an_event() {
        assertThat(
                        run(
                                "alarms",
                                "--warmups",
                                "0",
                                "--rounds",
                                "1",
                                "--seconds",
                                "0.2",
                                "--connections",
                                "4",
                                "--channels",
                                "5",
                                "--points",
                                "100",
                                "--rules",
                                "1000",
                                "--crossings",
                                "10"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("| the hub, 1 point with 1 rule |", "100 points with 10 rules each |")
                .contains("| the hub; each write crosses a limit |", "| (iii) a hand-written")
                .contains("1 point with 1 rule ÷ the same without rules |", "÷ (iii) |")
                .contains("| beside others |", "10 times", "KiB of the hub's heap for a rule");
    }

    @Test
    void a_race_on_a_plant_of_nothing_ends_with_a_sentence() {
        assertThat(run("telemetry", "--channels", "0")).isEqualTo(2);
        assertThat(run("telemetry", "--points", "1001")).isEqualTo(2);
        assertThat(run("alarms", "--rules", "0")).isEqualTo(2);
        assertThat(run("alarms", "--crossings", "0")).isEqualTo(2);
        assertThat(said()).contains("at least 1", "at most 1000").hasLineCount(4);
    }

    @Test
    void a_short_race_against_a_server_like_edgex_prints_ratios_costs_and_latencies() {
        try (StandIn edgex = StandIn.start()) {
            assertThat(
                            run(
                                    "peers",
                                    "--edgex",
                                    edgex.url(),
                                    "--edgex-pids",
                                    Long.toString(ProcessHandle.current().pid()),
                                    "--warmups",
                                    "0",
                                    "--rounds",
                                    "1",
                                    "--seconds",
                                    "0.2",
                                    "--connections",
                                    "3"))
                    .as(() -> said())
                    .isZero();
            // Those to be asked for, and those that were posted.
            assertThat(edgex.events()).isGreaterThan(3 * 50);
        }
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("Against EdgeX core data", "hub ÷ theirs", "Redis µs (theirs)")
                .contains("| POST event with 2 readings | **", "device, 1 connection | **")
                .contains("should have been sent", "p99 ms (theirs)")
                .doesNotContain("Against the Brewblox datastore");
    }

    @Test
    void a_hub_can_be_compared_with_another_one_by_all_that_the_others_speak() throws Exception {
        try (WholeHub hub = WholeHub.start(WholeHub.Plan.embedded(), out::say)) {
            String url = hub.address().url("").toString();
            assertThat(
                            run(
                                    "peers",
                                    "--hub",
                                    url,
                                    "--brewblox",
                                    url,
                                    "--dsps",
                                    url,
                                    "--warmups",
                                    "0",
                                    "--rounds",
                                    "1",
                                    "--seconds",
                                    "0.1",
                                    "--connections",
                                    "2"))
                    .as(() -> said())
                    .isZero();
        }
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("| set | **", "| get | **", "| mget of a namespace of 100 | **")
                .contains("| mget by 100 ids | **", "| publish | **", "| fetch 10 | **")
                .contains("| publish, fetch, acknowledge in turns | **", "| – (–) | – (–) |");
    }

    @Test
    void a_short_look_at_a_hub_at_rest_prints_how_it_starts_and_what_it_takes() {
        assertThat(
                        run(
                                "rest",
                                "--rounds",
                                "1",
                                "--connections",
                                "2",
                                "--load",
                                "1",
                                "--events",
                                "10",
                                "--rest",
                                "0",
                                "--idle",
                                "1",
                                "--rehearsal",
                                "0"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("no ahead-of-time cache", "| as started |", "to ready, s | **")
                .contains("ten seconds later ÷ warm | **", "resident without load, MiB | **")
                .contains("processor at rest, ms a second | **");
    }

    @Test
    void a_short_look_at_devices_prints_what_reading_them_costs() {
        assertThat(
                        run(
                                "bus",
                                "--devices",
                                "2",
                                "--registers",
                                "10",
                                "--interval",
                                "50",
                                "--rounds",
                                "1",
                                "--warmups",
                                "0",
                                "--seconds",
                                "1"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("2 devices with 10 registers each", "| read and stored | **")
                .contains("| hub, of a core | **");
        assertThat(run("bus", "--devices", "0")).isEqualTo(2);
    }

    @Test
    void a_look_at_nothing_ends_with_a_sentence() {
        assertThat(run("rest", "--rounds", "0")).isEqualTo(2);
        assertThat(run("rest", "--idle", "0")).isEqualTo(2);
        assertThat(said()).contains("one round", "at least 1").hasLineCount(2);
    }

    @Test
    void a_race_against_peers_that_are_not_there_ends_with_a_sentence() {
        assertThat(run("peers")).isEqualTo(2);
        assertThat(run("peers", "--edgex", "localhost:48080")).isEqualTo(2);
        assertThat(run("peers", "--edgex", "https://localhost")).isEqualTo(2);
        assertThat(run("peers", "--dsps", "http://localhost", "--dsps-pids", "-1")).isEqualTo(2);
        assertThat(run("peers", "--edgex-pids", "1", "--dsps", "http://localhost")).isEqualTo(2);
        assertThat(run("peers", "--hub-pids", "1", "--dsps", "http://localhost")).isEqualTo(2);
        assertThat(run("peers", "--dsps", "http://localhost", "--connections", "0")).isEqualTo(2);
        assertThat(said())
                .contains("--edgex, --brewblox or --dsps", "'localhost:48080'", "'https://")
                .contains("no process -1", "no URL", "belongs to --hub", "at most 256")
                .hasLineCount(7);
    }

    @Test
    void a_peer_that_answers_something_else_ends_it_with_a_sentence_that_says_who() {
        try (StandIn edgex = StandIn.start()) {
            String url = edgex.url();
            assertThat(run("peers", "--hub", url, "--brewblox", url)).isEqualTo(2);
            assertThat(run("peers", "--hub", url, "--edgex", "http://localhost:1")).isEqualTo(2);
        }
        assertThat(said())
                .contains("does not answer like the Brewblox datastore", "404")
                .contains("nobody answers at http://localhost:1")
                .hasLineCount(2);
    }

    @Test
    void a_documents_race_of_nobody_ends_with_a_sentence() {
        assertThat(run("documents", "--connections", "0")).isEqualTo(2);
        assertThat(run("documents", "--events", "0")).isEqualTo(2);
        assertThat(said()).contains("at least 1").hasLineCount(2);
    }

    @Test
    void a_live_race_without_clients_ends_with_a_sentence() {
        assertThat(run("live", "--clients", "0")).isEqualTo(2);
        assertThat(run("live", "--facts", "0")).isEqualTo(2);
        assertThat(said()).contains("at least 1").hasLineCount(2);
    }

    @Test
    void a_race_of_commands_without_devices_ends_with_a_sentence() {
        assertThat(run("commands", "--channels", "0")).isEqualTo(2);
        assertThat(run("commands", "--rate", "0")).isEqualTo(2);
        assertThat(said()).contains("at least 1").hasLineCount(2);
    }

    @Test
    void a_few_commands_end() {
        assertThat(
                        run(
                                "commands",
                                "--rounds",
                                "1",
                                "--warmups",
                                "0",
                                "--seconds",
                                "0.2",
                                "--channels",
                                "2",
                                "--connections",
                                "2",
                                "--rate",
                                "20"))
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("at 20 a second, 4 times", "commands a second ÷ requests");
    }

    @Test
    void a_race_of_rules_without_rules_ends_with_a_sentence() {
        assertThat(run("rules", "--rules", "0")).isEqualTo(2);
        assertThat(run("rules", "--actions", "0")).isEqualTo(2);
        assertThat(said()).contains("at least 1").hasLineCount(2);
    }

    @Test
    void a_few_rules_are_evaluated_and_one_acts() {
        assertThat(
                        run(
                                "rules",
                                "--rounds",
                                "1",
                                "--warmups",
                                "0",
                                "--seconds",
                                "0.2",
                                "--rules",
                                "1000",
                                "--actions",
                                "5",
                                "--others",
                                "5"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("1,000 rules", "0 evaluations did not come", "5 times")
                .contains("| ten rules look at each | **", "| evaluations a second | **");
    }

    @Test
    void a_realtime_race_of_nothing_ends_with_a_sentence() {
        assertThat(run("realtime", "--clients", "0")).isEqualTo(2);
        assertThat(run("realtime", "--rate", "1")).isEqualTo(2);
        assertThat(said()).contains("at least 1").hasLineCount(2);
    }

    @Test
    void a_few_clients_hear_what_is_written() {
        assertThat(
                        run(
                                "realtime",
                                "--clients",
                                "4",
                                "--channels",
                                "2",
                                "--deaf",
                                "1",
                                "--points",
                                "5",
                                "--rate",
                                "50",
                                "--seconds",
                                "1"))
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8)).contains("Messages: 20 of 20");
    }

    @Test
    void a_short_history_race_prints_recording_lag_questions_and_room() {
        assertThat(
                        run(
                                "history",
                                "--rounds",
                                "1",
                                "--warmups",
                                "0",
                                "--seconds",
                                "0.2",
                                "--channels",
                                "3",
                                "--points",
                                "5",
                                "--rate",
                                "50",
                                "--part",
                                "100",
                                "--asked",
                                "2"))
                .as(() -> said())
                .isZero();
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("3 channels of 5 points", "| raw: HSET and ZADD", "÷ raw")
                .contains("| a year of one point, as hours |", "Bytes for a sample, of 864 ");
    }

    @Test
    void a_history_race_of_nothing_ends_with_a_sentence() {
        assertThat(run("history", "--points", "1001")).isEqualTo(2);
        assertThat(run("history", "--rate", "1")).isEqualTo(2);
        assertThat(said()).contains("1 to 1000").hasLineCount(2);
    }

    @Test
    void a_readings_race_of_nothing_ends_with_a_sentence() {
        assertThat(run("readings", "--lot", "0")).isEqualTo(2);
        assertThat(run("readings", "--sizes", "10,0")).isEqualTo(2);
        assertThat(run("readings", "--only", "everything")).isEqualTo(2);
        assertThat(said()).contains("at least 1", "[events, heap, asking, sizes]").hasLineCount(3);
    }
}
