package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;

/** The worked examples of alarms, as a client of the API sees them. */
@OnEachSite
class AlarmExamplesTest {
    private final Site site;
    private TestHub hub;
    private Client client;

    AlarmExamplesTest(Site site) {
        this.site = site;
    }

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
        client = new Client(hub.url());
    }

    @AfterEach
    void stop() {
        assertThat(hub.keyspace().check().run().drift()).isZero();
        client.close();
        hub.close();
    }

    private void writes(String value, List<String> triggered, List<String> cleared) {
        JsonNode alarms = client.value(1, 101, value).path("alarms");
        assertThat(Client.texts(alarms.path("triggered"))).as(value).isEqualTo(triggered);
        assertThat(Client.texts(alarms.path("cleared"))).as(value).isEqualTo(cleared);
    }

    private void nothingBy(String value) {
        writes(value, List.of(), List.of());
    }

    private void triggersBy(String value) {
        writes(value, List.of("r"), List.of());
        assertThat(client.alarm("r").path("status").asString()).isEqualTo("active");
    }

    private void clearsBy(String value) {
        writes(value, List.of(), List.of("r"));
        assertThat(client.alarm("r").path("status").asString()).isEqualTo("cleared");
    }

    private double number(String field) {
        return client.alarm("r").path(field).asDouble(Double.NaN);
    }

    @Test
    void a_value_equal_to_the_limit_has_not_crossed_it() {
        client.rule("r", 1, 101, ">", "");
        nothingBy("84.9");
        nothingBy("85");
        triggersBy("86.2");
        assertThat(number("trigger_value")).isEqualTo(86.2);
        nothingBy("87");
        assertThat(number("current_value")).isEqualTo(87);
        assertThat(number("trigger_value")).isEqualTo(86.2);
        clearsBy("85");
        assertThat(number("clear_value")).isEqualTo(85);
        assertThat(number("current_value")).isEqualTo(85);
        assertThat(client.alarm("r").path("clear_reason").asString())
                .isEqualTo("condition_cleared");
        assertThat(client.events("r").stream().filter(type -> !type.startsWith("rule_")))
                .containsExactly("cleared", "triggered");
    }

    @Test
    void all_six_operators() {
        for (String row :
                List.of(
                        "> 84 85 86:86",
                        "< 86 85 84:84",
                        ">= 84 84.9 85:85",
                        "<= 86 85.1 85:85",
                        "== 84 85.000001 85:85",
                        "!= 85 85.0 85.1:85.1")) {
            String[] parts = row.split("[ :]", -1);
            nothingBy(parts[1]);
            client.rule("r", 1, 101, parts[0], "");
            nothingBy(parts[2]);
            triggersBy(parts[3]);
            clearsBy(parts[1]);
            client.data("DELETE", "/api/alarm-rules/r", "");
        }
    }

    @Test
    void with_a_dead_band_the_value_must_go_back_past_it() {
        client.rule("r", 1, 101, ">", ",\"deadband\":2");
        triggersBy("86");
        nothingBy("84");
        nothingBy("83.5");
        clearsBy("83");
        nothingBy("84");
        triggersBy("85.1");
    }

    @Test
    void with_a_clear_threshold_likewise() {
        client.rule("r", 1, 101, ">", ",\"clear_threshold\":80");
        triggersBy("86");
        nothingBy("80.1");
        clearsBy("80");
    }

    @Test
    void a_condition_must_hold_for_the_delay_and_a_timer_tells_when_it_has() {
        client.rule("r", 1, 101, ">", ",\"on_delay\":2");
        nothingBy("86");
        nothingBy("84");
        long before = System.currentTimeMillis();
        nothingBy("86");
        await().until(() -> client.status("r").equals("active"));
        JsonNode alarm = client.alarm("r");
        assertThat(alarm.path("trigger_value").asDouble()).isEqualTo(86);
        assertThat(seconds(alarm.path("triggered_at"))).isGreaterThanOrEqualTo(before / 1000 + 2);
        assertThat(client.events("r")).filteredOn("triggered"::equals).hasSize(1);
    }

    /** Unix seconds, or ISO 8601. */
    private static long seconds(JsonNode time) {
        String text = time.asString("");
        return text.contains("T") ? Instant.parse(text).getEpochSecond() : Long.parseLong(text);
    }

    @Test
    void a_condition_must_be_over_for_the_other_delay() {
        client.rule("r", 1, 101, ">", ",\"off_delay\":2");
        triggersBy("86");
        nothingBy("80");
        nothingBy("86");
        long before = System.currentTimeMillis();
        nothingBy("80");
        assertThat(client.status("r")).isEqualTo("active");
        await().until(() -> client.status("r").equals("cleared"));
        assertThat(seconds(client.alarm("r").path("cleared_at")))
                .isGreaterThanOrEqualTo(before / 1000 + 2);
        assertThat(number("clear_value")).isEqualTo(80);
    }

    @Test
    void so_many_values_in_a_row_are_needed() {
        client.rule("r", 1, 101, ">", ",\"repeat_count\":3");
        nothingBy("86");
        nothingBy("86");
        nothingBy("80");
        nothingBy("86");
        nothingBy("87");
        triggersBy("88");
    }

    @Test
    void a_latched_alarm_stays_until_it_is_reset() {
        client.rule("r", 1, 101, ">", ",\"latched\":true");
        triggersBy("86");
        nothingBy("80");
        assertThat(client.status("r")).isEqualTo("active");
        client.post("/api/alarms/r/reset", "");
        assertThat(client.status("r")).isEqualTo("cleared");
        assertThat(client.events("r")).contains("reset");
    }

    @Test
    void what_is_already_too_hot_when_the_rule_comes_triggers_at_once() {
        nothingBy("90");
        client.rule("r", 1, 101, ">", "");
        await().until(() -> client.status("r").equals("active"));
        JsonNode event =
                Client.items(client.get("/api/alarm-events?rule_id=r&type=triggered")).getFirst();
        assertThat(event.path("initial").asBoolean()).isTrue();
        client.post("/api/alarm-rules", Client.ruleText("r", 1, 101, "<", ""));
        await().until(() -> client.status("r").equals("cleared"));
        assertThat(client.alarm("r").path("clear_reason").asString())
                .isEqualTo("condition_cleared");
    }

    @Test
    void a_rule_moved_to_another_field_leaves_nothing_at_the_old_one() {
        client.rule("r", 1, 101, ">", "");
        String created = client.get("/api/alarm-rules/r").path("created_at").asString();
        assertThat(created).isNotBlank();
        triggersBy("90");
        client.rule("r", 1, 102, ">", "");
        assertThat(client.status("r")).isEqualTo("cleared");
        assertThat(client.alarm("r").path("clear_reason").asString()).isEqualTo("source_removed");
        assertThat(client.get("/api/alarm-rules/r").path("created_at").asString())
                .isEqualTo(created);
        nothingBy("80");
        nothingBy("91");
        assertThat(Client.texts(client.value(1, 102, "91").path("alarms").path("triggered")))
                .containsExactly("r");
        watches("comsrv:1:T:101", List.of());
        watches("comsrv:1:T:102", List.of("r"));
    }

    @Test
    void a_rule_moved_to_another_channel_likewise() {
        client.rule("r", 1, 101, ">", "");
        String created = client.get("/api/alarm-rules/r").path("created_at").asString();
        triggersBy("90");
        for (int channel = 2; channel <= 6; channel++) {
            client.rule("r", channel, 101, ">", "");
            assertThat(client.status("r")).isEqualTo("cleared");
            assertThat(client.alarm("r").path("clear_reason").asString())
                    .isEqualTo("source_removed");
            JsonNode alarms = client.value(channel, 101, "90").path("alarms");
            assertThat(Client.texts(alarms.path("triggered"))).containsExactly("r");
            watches("comsrv:" + (channel - 1) + ":T:101", List.of());
        }
        nothingBy("90");
        assertThat(client.get("/api/alarm-rules/r").path("created_at").asString())
                .isEqualTo(created);
        assertThat(Client.items(client.get("/api/alarm-rules"))).hasSize(1);
        assertThat(client.get("/api/statistics").path("active_alarms").asInt()).isEqualTo(1);
    }

    /** Exact keys are promised on a single server only. */
    private void watches(String point, List<String> rules) {
        if (!site.cluster()) {
            String key = "idx:alarm:watch:" + point;
            assertThat(site.command(key, "SMEMBERS", key)).isEqualTo(rules);
            assertThat(site.command(key, "EXISTS", key)).isEqualTo(rules.isEmpty() ? 0L : 1L);
        }
    }

    @Test
    void the_batch_form_raises_alarms_too() {
        client.rule("r", 1, 101, ">", "");
        client.rule("s", 2, 7, ">", "");
        client.post(
                "/api/telemetry/batch",
                "{\"1\":{\"T\":{\"101\":90,\"102\":1}},\"2\":{\"T\":{\"7\":86},\"S\":{\"7\":1}}}");
        assertThat(client.status("r")).isEqualTo("active");
        assertThat(client.status("s")).isEqualTo("active");
        assertThat(client.get("/api/statistics").path("active_alarms").asInt()).isEqualTo(2);
    }

    @Test
    void bad_quality_is_ignored_evaluated_or_a_reason_by_itself_as_the_rule_says() {
        client.data(
                "POST",
                "/api/channels",
                """
                {"id":1,"name":"boiler","protocol":"virtual","enabled":true,\
                "points":{"T":[{"point_id":101,"signal_name":"t","max_value":100}]}}\
                """);
        client.rule("ignores", 1, 101, ">", "");
        client.rule("looks", 1, 101, ">", ",\"on_bad_quality\":\"evaluate\"");
        client.rule("minds", 1, 101, "<", ",\"on_bad_quality\":\"trigger\"");
        client.value(1, 101, "85");
        JsonNode alarms = client.value(1, 101, "101").path("alarms");
        assertThat(Client.texts(alarms.path("triggered"))).containsExactly("looks", "minds");
        JsonNode value = client.get("/api/channels/1/T?points=101").path("values").get(0);
        assertThat(value.path("quality").asString()).isEqualTo("bad");
        assertThat(value.path("value").asDouble()).isEqualTo(101);
    }
}
