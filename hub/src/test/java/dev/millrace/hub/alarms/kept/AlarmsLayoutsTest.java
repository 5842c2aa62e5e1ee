package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

import java.util.Map;

class AlarmsLayoutsTest {
    private static AlarmRule rule(String id, String source, String field, String threshold) {
        return new AlarmRule(
                id, Map.of("source_key", source, "field", field, "threshold", threshold));
    }

    private static Alarm alarm(String id, String status, String source) {
        return new Alarm(
                id, Map.of("status", status, "trigger_value", "86.2", "source_key", source));
    }

    @Test
    void a_rule_is_in_the_index_and_watches_one_field() {
        assertThat(RULES.entries(rule("temp_high_1", "comsrv:1:T", "101", "85")))
                .containsExactlyInAnyOrder(
                        new Entry.Member("alarm:rule:index", "temp_high_1"),
                        new Entry.Member("idx:alarm:watch:comsrv:1:T:101", "temp_high_1"));
    }

    @Test
    void an_alarm_is_among_the_active_ones_while_it_is_active() {
        assertThat(ALARMS.entries(alarm("temp_high_1", "active", "comsrv:1:T")))
                .containsExactly(new Entry.Member("idx:alarm:active", "temp_high_1"));
        assertThat(ALARMS.entries(alarm("temp_high_1", "cleared", "comsrv:1:T"))).isEmpty();
    }

    @Test
    void they_live_with_their_source() {
        assertThat(Sources.home("comsrv:17:T")).isEqualTo("17");
        assertThat(Sources.home("model:tr_1:measurement")).isEqualTo(Declaration.SITE);
        assertThat(Sources.home(null)).isEqualTo(Declaration.SITE);
        assertThat(Sources.home("comsrv:017:T")).isEqualTo(Declaration.SITE);
    }

    @Test
    void they_live_and_die_whole_also_when_they_move_to_another_source() {
        RoundTrip.of(
                RULES,
                "hot",
                rule("hot", "comsrv:1:T", "101", "85"),
                rule("hot", "model:tr_1:measurement", "temperature", "85.50"));
        RoundTrip.of(
                ALARMS,
                "hot",
                alarm("hot", "active", "comsrv:1:T"),
                alarm("hot", "cleared", "comsrv:2:T"));
    }
}
