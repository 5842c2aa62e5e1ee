package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The example at the end of the key description, typed by somebody who knows of no hub. */
class SeedAlarmTest {
    private static final List<String> TELEMETRY =
            List.of(
                    "HSET comsrv:1:T 101 \"85.5\"",
                    "HSET comsrv:1:T 102 \"3.2\"",
                    "HSET comsrv:1:T _updated_at \"1754530782\"");
    private static final List<String> RULE =
            List.of(
                    "HSET alarm:rule:temp_high_1 source_key \"comsrv:1:T\"",
                    "HSET alarm:rule:temp_high_1 field \"101\"",
                    "HSET alarm:rule:temp_high_1 threshold \"85\"",
                    "HSET alarm:rule:temp_high_1 operator \">\"");
    private static final List<String> INDEXES =
            List.of(
                    "SADD alarm:rule:index \"temp_high_1\"",
                    "SADD idx:alarm:watch:comsrv:1:T:101 \"temp_high_1\"");
    private static final List<String> ALARM =
            List.of(
                    "HSET alarm:temp_high_1 status \"active\"",
                    "HSET alarm:temp_high_1 trigger_value \"86.2\"",
                    "SADD idx:alarm:active \"temp_high_1\"");

    private static final String ID = "temp_high_1";

    private Plant plant;
    private Somebody somebody;

    @BeforeEach
    void start() {
        plant = Plant.empty();
        somebody = plant.somebody();
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    @SafeVarargs
    private static List<String> all(List<String>... parts) {
        List<String> lines = new ArrayList<>();
        for (List<String> part : parts) {
            lines.addAll(part);
        }
        return lines;
    }

    private Map<String, String> alarm() {
        return somebody.hash("alarm:" + ID);
    }

    /** What the example ends with, after the hub has looked at the value beside it. */
    private void awaitTheEndOfTheExample() {
        await().untilAsserted(
                        () -> {
                            assertThat(alarm()).containsEntry("current_value", "85.5");
                            assertThatItIsAsWritten();
                        });
        assertThat(somebody.events(ID, "triggered")).hasSizeLessThanOrEqualTo(1);
        assertThat(somebody.events(ID, "cleared")).isEmpty();
        assertThat(Client.items(plant.client().get("/api/alarms")))
                .extracting(alarm -> alarm.path("rule_id").asString())
                .containsExactly(ID);
    }

    private void assertThatItIsAsWritten() {
        assertThat(alarm())
                .containsEntry("status", "active")
                .containsEntry("trigger_value", "86.2");
        assertThat(somebody.members("idx:alarm:active")).containsExactly(ID);
    }

    /** No index says anything of it any more, and the numbers agree. */
    private void clearedBy(String value) {
        somebody.line("HSET comsrv:1:T 101 " + value);
        await().untilAsserted(
                        () -> {
                            assertThat(alarm())
                                    .containsEntry("status", "cleared")
                                    .containsEntry("clear_value", value)
                                    .containsEntry("current_value", value)
                                    .containsEntry("clear_reason", "condition_cleared")
                                    .containsKey("cleared_at");
                            assertThat(somebody.exists("idx:alarm:active")).isFalse();
                            assertThat(somebody.field("status:system", "active_alarms"))
                                    .isEqualTo("0");
                        });
        assertThat(somebody.members("alarm:rule:index")).containsExactly(ID);
        assertThat(somebody.members("idx:alarm:watch:comsrv:1:T:101")).containsExactly(ID);
        assertThat(somebody.events(ID, "cleared")).hasSize(1);
        assertThat(plant.hub().keyspace().check().run().drift()).isZero();
    }

    @Test
    void piped_at_once() {
        somebody.piped(all(TELEMETRY, RULE, INDEXES, ALARM));
        awaitTheEndOfTheExample();
        clearedBy("80");
    }

    @Test
    void slowly_each_line_after_the_consequences_of_the_one_before() {
        // A point of another channel changes after each line: when the hub has told of that, it
        // has had every opportunity to do something about the line.
        plant.client().rule("pulse", 9, 1, ">", "");
        int pulses = 0;
        for (String line : all(TELEMETRY, RULE, INDEXES)) {
            somebody.line(line);
            pulse(++pulses);
        }
        await().untilAsserted(
                        () ->
                                assertThat(alarm())
                                        .containsEntry("status", "active")
                                        .containsEntry("trigger_value", "85.5")
                                        .containsEntry("current_value", "85.5"));
        assertThat(somebody.members("idx:alarm:active")).contains(ID);
        List<JsonNode> triggered = somebody.events(ID, "triggered");
        assertThat(triggered).hasSize(1);
        assertThat(triggered.getFirst().path("initial").asBoolean()).isTrue();
        assertThat(triggered.getFirst().path("value").asDouble()).isEqualTo(85.5);
        for (String line : ALARM) {
            somebody.line(line);
            pulse(++pulses);
        }
        assertThat(alarm())
                .containsEntry("status", "active")
                .containsEntry("trigger_value", "86.2");
        assertThat(somebody.members("idx:alarm:active")).contains(ID);
        assertThat(somebody.events(ID, "triggered")).hasSize(1);
        assertThat(somebody.events(ID, "cleared")).isEmpty();

        somebody.line("HSET comsrv:9:T 1 0");
        await().until(() -> somebody.members("idx:alarm:active").equals(Set.of(ID)));
        somebody.line("HSET comsrv:1:T 101 84");
        await().untilAsserted(
                        () ->
                                assertThat(alarm())
                                        .containsEntry("status", "cleared")
                                        .containsEntry("clear_value", "84")
                                        .containsKey("cleared_at"));
        assertThat(somebody.exists("idx:alarm:active")).isFalse();
        assertThat(somebody.events(ID, "cleared")).hasSize(1);
    }

    /** Crosses the limit of the rule {@code pulse}, up and down in turns. */
    private void pulse(int turn) {
        boolean up = turn % 2 == 1;
        somebody.line("HSET comsrv:9:T 1 " + (up ? 90 + turn : turn));
        await().until(
                        () ->
                                somebody.field("alarm:pulse", "status")
                                        .equals(up ? "active" : turn == 0 ? "" : "cleared"));
    }

    @Test
    void twice() {
        somebody.piped(all(TELEMETRY, RULE, INDEXES, ALARM));
        awaitTheEndOfTheExample();
        somebody.piped(all(TELEMETRY, RULE, INDEXES, ALARM));
        awaitTheEndOfTheExample();
        clearedBy("80");
    }

    @Test
    void again_after_it_was_cleared() {
        somebody.piped(all(TELEMETRY, RULE, INDEXES, ALARM));
        awaitTheEndOfTheExample();
        clearedBy("80");
        somebody.piped(all(TELEMETRY, RULE, INDEXES, ALARM));
        await().untilAsserted(
                        () -> {
                            assertThat(alarm()).containsEntry("current_value", "85.5");
                            assertThatItIsAsWritten();
                        });
    }

    @Test
    void with_the_index_lines_first() {
        somebody.piped(all(INDEXES, TELEMETRY, RULE, ALARM));
        awaitTheEndOfTheExample();
        clearedBy("80");
    }

    @Test
    void with_the_index_lines_first_and_noticed_before_there_is_a_rule() {
        INDEXES.forEach(somebody::line);
        plant.client().rule("pulse", 9, 1, ">", "");
        pulse(1);
        pulse(2);
        for (String line : all(TELEMETRY, RULE)) {
            somebody.line(line);
        }
        await().until(() -> alarm().getOrDefault("status", "").equals("active"));
        ALARM.forEach(somebody::line);
        pulse(3);
        assertThat(alarm())
                .containsEntry("status", "active")
                .containsEntry("trigger_value", "86.2");
        pulse(4);
        assertThat(somebody.members("idx:alarm:active")).containsExactly(ID);
        assertThat(somebody.events(ID, "triggered")).hasSize(1);
    }

    @Test
    void with_the_telemetry_last() {
        somebody.piped(all(RULE, INDEXES, ALARM));
        somebody.piped(TELEMETRY);
        awaitTheEndOfTheExample();
        clearedBy("80");
    }

    @Test
    void a_second_episode_begins_without_the_traces_of_the_first() {
        somebody.piped(all(TELEMETRY, RULE, INDEXES));
        await().until(() -> alarm().getOrDefault("status", "").equals("active"));
        clearedBy("80");
        somebody.line("HSET comsrv:1:T 101 86.2");
        await().untilAsserted(
                        () ->
                                assertThat(alarm())
                                        .containsEntry("status", "active")
                                        .containsEntry("trigger_value", "86.2")
                                        .containsEntry("acknowledged", "0")
                                        .doesNotContainKeys(
                                                "clear_value",
                                                "cleared_at",
                                                "clear_reason",
                                                "ack_time",
                                                "acknowledged_by"));
        assertThat(somebody.field("status:system", "active_alarms")).isEqualTo("1");
    }

    @Test
    void what_was_written_while_the_hub_was_away_counts_when_it_comes_back() {
        somebody.piped(all(TELEMETRY, RULE, INDEXES));
        await().until(() -> alarm().getOrDefault("status", "").equals("active"));
        clearedBy("80");
        plant.stop();
        somebody.line("HSET comsrv:1:T 101 90");
        plant.start();
        await().until(() -> alarm().getOrDefault("status", "").equals("active"));
        assertThat(alarm()).containsEntry("trigger_value", "90");
        plant.stop();
        somebody.line("HSET comsrv:1:T 101 80");
        plant.start();
        await().until(() -> alarm().getOrDefault("status", "").equals("cleared"));
        assertThat(somebody.exists("idx:alarm:active")).isFalse();
    }
}
