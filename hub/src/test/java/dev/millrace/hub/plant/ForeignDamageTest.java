package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/**
 * What somebody broke in the store is told by the check, and holds up nobody who has no part in it.
 */
class ForeignDamageTest {
    private Plant plant;
    private Client client;
    private Somebody somebody;

    @BeforeEach
    void start() {
        plant = Plant.empty();
        client = plant.client();
        somebody = plant.somebody();
        client.rule("hot", 1, 101, ">", "");
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    private String told() {
        return plant.hub().keyspace().check().run().toString();
    }

    @Test
    void a_text_where_the_list_of_events_should_be() {
        somebody.line("SET alarm:events x");
        assertThat(client.value(2, 1, "5").path("written").asInt()).isEqualTo(1);
        assertThat(client.value(1, 101, "20").path("written").asInt()).isEqualTo(1);
        int status = client.send("POST", "/api/channels/1/T", "{\"101\":90}").status();
        // Either the value waits for the repair together with its alarm, or neither is held up.
        assertThat(status).isIn(200, 500, 503);
        assertThat(client.value(2, 1, "6").path("written").asInt()).isEqualTo(1);
        assertThat(somebody.field("comsrv:2:T", "1")).isEqualTo("6");
        boolean active = somebody.members("idx:alarm:active").contains("hot");
        assertThat(somebody.field("alarm:hot", "status").equals("active")).isEqualTo(active);
        assertThat(told()).contains("alarm:events");
        somebody.line("DEL alarm:events");
        client.value(1, 101, "91");
        await().until(() -> client.status("hot").equals("active"));
        assertThat(somebody.events("hot", "triggered")).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void a_word_where_the_number_of_active_alarms_should_be() {
        somebody.line("HSET status:system active_alarms abc");
        assertThat(Client.texts(client.value(1, 101, "90").path("alarms").path("triggered")))
                .containsExactly("hot");
        assertThat(somebody.field("status:system", "active_alarms")).isEqualTo("1");
        somebody.line("HSET status:system active_alarms -7");
        client.value(1, 101, "20");
        assertThat(somebody.field("status:system", "active_alarms")).isEqualTo("0");
    }

    @Test
    void a_watch_of_a_rule_that_does_not_exist() {
        somebody.line("SADD idx:alarm:watch:comsrv:1:T:101 ghost");
        somebody.line("SADD alarm:rule:index ghost2");
        assertThat(Client.texts(client.value(1, 101, "90").path("alarms").path("triggered")))
                .containsExactly("hot");
        client.value(1, 101, "20");
        assertThat(client.get("/api/alarm-rules").toString()).contains("hot");
        assertThat(client.get("/api/statistics").path("active_alarms").asInt(-1)).isZero();
        await().untilAsserted(
                        () -> {
                            // Told, or already taken out by the repair that runs by itself.
                            boolean there =
                                    somebody.members("idx:alarm:watch:comsrv:1:T:101")
                                            .contains("ghost");
                            assertThat(!there || told().contains("idx:alarm:watch")).isTrue();
                        });
    }

    @Test
    void doctor_and_fsck_tell_it_while_no_hub_mends_it(@TempDir Path directory) {
        plant.stop();
        somebody.line("DEL alarm:events");
        somebody.line("SET alarm:events x");
        somebody.line("HSET status:system active_alarms abc total_channels -1");
        somebody.line("SADD idx:alarm:watch:comsrv:1:T:101 ghost");
        String redis = "redis.url=" + SharedServers.standalone().url();
        assertThat(Millrace.run(directory, "doctor", "--set", redis).out())
                .contains("alarm:events is not a list")
                .contains("status:system says that active_alarms is 'abc'")
                .contains("status:system says that total_channels is '-1'");
        assertThat(Millrace.run(directory, "fsck", "--set", redis).out())
                .contains("alarm:events")
                .contains("idx:alarm:watch:comsrv:1:T:101");
        plant.start();
        client = plant.client();
        await().untilAsserted(
                        () ->
                                assertThat(somebody.hash("status:system"))
                                        .containsEntry("active_alarms", "0")
                                        .containsEntry("total_channels", "0"));
        somebody.line("DEL alarm:events");
        assertThat(Client.texts(client.value(1, 101, "90").path("alarms").path("triggered")))
                .containsExactly("hot");
    }

    @Test
    void rules_that_cannot_be_evaluated_count_as_invalid_and_leave_the_others_alone() {
        somebody.line("HSET alarm:rule:odd source_key comsrv:1:T field 101 threshold abc");
        somebody.line(
                "HSET alarm:rule:odder source_key comsrv:1:T field 101 threshold 1 operator ~");
        somebody.line("SADD alarm:rule:index odd odder");
        somebody.line("SADD idx:alarm:watch:comsrv:1:T:101 odd odder");
        await().until(() -> client.get("/api/statistics").path("invalid_rules").asInt() == 2);
        assertThat(Client.texts(client.value(1, 101, "90").path("alarms").path("triggered")))
                .containsExactly("hot");
        assertThat(somebody.members("idx:alarm:active")).containsExactly("hot");
    }

    @Test
    void reserved_ids_that_somebody_wrote_are_ignored() {
        somebody.line("HSET alarm:rule:events source_key comsrv:1:T field 101 threshold 1");
        somebody.line("SADD alarm:rule:index events");
        somebody.line("SADD idx:alarm:watch:comsrv:1:T:101 events");
        somebody.line("HSET alarm:rule:late source_key comsrv:1:T field 101 threshold 1");
        somebody.line("SADD alarm:rule:index late");
        somebody.line("SADD idx:alarm:watch:comsrv:1:T:101 late");
        client.value(1, 101, "90");
        await().until(() -> client.status("late").equals("active"));
        assertThat(somebody.events("hot", "triggered")).hasSize(1);
        assertThat(somebody.members("idx:alarm:active")).containsExactly("hot", "late");
    }

    @Test
    void a_text_where_the_values_of_a_channel_should_be_harms_no_other_channel() {
        somebody.line("SET comsrv:3:T x");
        int status = client.send("POST", "/api/channels/3/T", "{\"1\":1}").status();
        assertThat(status).isIn(500, 503);
        assertThat(client.value(1, 101, "90").path("written").asInt()).isEqualTo(1);
        assertThat(somebody.members("idx:alarm:active")).containsExactly("hot");
        assertThat(told()).contains("comsrv:3:T");
    }

    @Test
    void text_that_somebody_wrote_as_a_value_leaves_the_alarm_as_it_is() {
        client.value(1, 101, "90");
        somebody.line("HSET comsrv:1:T 101 abc");
        client.rule("pulse", 1, 102, ">", "");
        somebody.line("HSET comsrv:1:T 102 90");
        await().until(() -> client.status("pulse").equals("active"));
        assertThat(client.status("hot")).isEqualTo("active");
        somebody.line("DEL comsrv:1:T");
        client.value(1, 103, "1");
        assertThat(client.status("hot")).isEqualTo("active");
        client.value(1, 101, "20");
        assertThat(client.status("hot")).isEqualTo("cleared");
    }

    @Test
    void a_rule_that_somebody_changes_by_hand_takes_effect() {
        client.value(1, 101, "90");
        assertThat(client.status("hot")).isEqualTo("active");
        somebody.line("HSET alarm:rule:hot threshold 95");
        await().until(() -> client.status("hot").equals("cleared"));
        somebody.line("HSET alarm:rule:hot threshold 85");
        await().until(() -> client.status("hot").equals("active"));
        somebody.line("HSET alarm:rule:hot enabled false");
        await().until(() -> client.status("hot").equals("cleared"));
        assertThat(client.alarm("hot").path("clear_reason").asString()).isEqualTo("rule_disabled");
        client.value(1, 101, "20");
        client.value(1, 101, "90");
        assertThat(client.status("hot")).isEqualTo("cleared");
        assertThat(somebody.events("hot", "triggered")).hasSize(2);
    }
}
