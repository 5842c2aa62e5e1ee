package dev.millrace.hub.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.alarms.kept.Damage;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Others write rules, alarms and values with a plain client, and all of it counts. */
class ForeignAlarmsTest {
    private static final List<String[]> EXAMPLE =
            List.of(
                    new String[] {"HSET", "comsrv:1:T", "101", "85.5"},
                    new String[] {"HSET", "comsrv:1:T", "102", "3.2"},
                    new String[] {"HSET", "comsrv:1:T", "_updated_at", "1754530782"},
                    new String[] {"HSET", "alarm:rule:temp_high_1", "source_key", "comsrv:1:T"},
                    new String[] {"HSET", "alarm:rule:temp_high_1", "field", "101"},
                    new String[] {"HSET", "alarm:rule:temp_high_1", "threshold", "85"},
                    new String[] {"HSET", "alarm:rule:temp_high_1", "operator", ">"},
                    new String[] {"SADD", "alarm:rule:index", "temp_high_1"},
                    new String[] {"SADD", "idx:alarm:watch:comsrv:1:T:101", "temp_high_1"});
    private static final List<String[]> BY_HAND =
            List.of(
                    new String[] {"HSET", "alarm:temp_high_1", "status", "active"},
                    new String[] {"HSET", "alarm:temp_high_1", "trigger_value", "86.2"},
                    new String[] {"SADD", "idx:alarm:active", "temp_high_1"});

    private final TestServer server = SharedServers.standalone();
    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(server.url());
    }

    @AfterEach
    void nothing_has_drifted() {
        try (TestHub closing = hub) {
            await().untilAsserted(
                            () ->
                                    assertThat(closing.keyspace().check().run().findings())
                                            .isEmpty());
        }
    }

    private void say(List<String[]> commands) {
        commands.forEach(server::command);
    }

    private Object ask(String... command) {
        return server.command(command);
    }

    private void isActive(String value) {
        await().untilAsserted(
                        () -> {
                            assertThat(field("status")).isEqualTo("active");
                            assertThat(field("trigger_value")).isEqualTo(value);
                            assertThat(
                                            String.valueOf(
                                                    ask(
                                                            "SISMEMBER",
                                                            "idx:alarm:active",
                                                            "temp_high_1")))
                                    .isEqualTo("1");
                        });
    }

    private String field(String name) {
        return String.valueOf(ask("HGET", "alarm:temp_high_1", name));
    }

    private void clears() {
        ask("HSET", "comsrv:1:T", "101", "80");
        await().untilAsserted(
                        () -> {
                            assertThat(field("status")).isEqualTo("cleared");
                            assertThat(field("clear_value")).isEqualTo("80");
                            assertThat(String.valueOf(ask("EXISTS", "idx:alarm:active")))
                                    .isEqualTo("0");
                        });
    }

    @Test
    void the_example_slowly() {
        say(EXAMPLE);
        isActive("85.5");
        say(BY_HAND);
        isActive("86.2");
        clears();
        assertThat(events()).containsExactly("triggered", "cleared");
    }

    private List<String> events() {
        List<String> types = new ArrayList<>();
        hub.get("/api/alarm-events?since_seq=0")
                .json()
                .path("data")
                .path("items")
                .forEach(each -> types.add(each.path("type").asString()));
        return types;
    }

    @Test
    void the_example_at_once_and_twice() {
        say(EXAMPLE);
        say(BY_HAND);
        say(EXAMPLE);
        say(BY_HAND);
        isActive("86.2");
        clears();
    }

    @Test
    void the_example_in_any_order() {
        List<String[]> shuffled = new ArrayList<>(EXAMPLE);
        Collections.shuffle(shuffled, new Random(1));
        say(shuffled);
        isActive("85.5");
        say(BY_HAND);
        isActive("86.2");
        clears();
    }

    @Test
    void the_example_backwards_with_the_telemetry_last() {
        say(EXAMPLE.reversed());
        isActive("85.5");
        clears();
    }

    @Test
    void what_was_written_while_no_hub_ran_counts_when_one_starts() {
        say(EXAMPLE.subList(3, EXAMPLE.size()));
        await().until(() -> hub.get("/api/alarm-rules/temp_high_1").status() == 200);
        hub.close();
        ask("HSET", "comsrv:1:T", "101", "90");
        hub = TestHub.start(server.url());
        isActive("90");
    }

    @Test
    void damage_done_by_others_harms_no_other_write_and_is_told() {
        hub.send(
                "PUT",
                "/api/alarm-rules/temp_high_1",
                "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":85}");
        ask("DEL", "alarm:events");
        ask("SET", "alarm:events", "x");
        ask("HSET", "status:system", "active_alarms", "abc");
        ask("SADD", "idx:alarm:watch:comsrv:1:T:7", "nobody");
        hub.send("POST", "/api/channels/1/T", "{\"101\":90}");
        isActive("90");
        assertThat(String.valueOf(ask("HGET", "status:system", "active_alarms"))).isEqualTo("1");
        assertThat(Damage.advice(hub.keyspace())).anyMatch(each -> each.contains("alarm:events"));
        ask("DEL", "alarm:events");
        ask("SREM", "idx:alarm:watch:comsrv:1:T:7", "nobody");
    }
}
