package dev.millrace.hub.alarms;

import static dev.millrace.hub.alarms.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.AlarmsLayouts.RULES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

class AlarmsLayoutsTest {

    @Test
    void a_rule_is_in_the_index_and_watches_one_field() {
        assertThat(RULES.entries(new AlarmRule("temp_high_1", "comsrv:1:T", "101", "85", ">")))
                .containsExactly(
                        new Entry.Member("alarm:rule:index", "temp_high_1"),
                        new Entry.Member("idx:alarm:watch:comsrv:1:T:101", "temp_high_1"));
    }

    @Test
    void an_alarm_is_among_the_active_ones_while_it_is_active() {
        assertThat(ALARMS.entries(new Alarm("temp_high_1", "active", "86.2", null)))
                .containsExactly(new Entry.Member("idx:alarm:active", "temp_high_1"));
        assertThat(ALARMS.entries(new Alarm("temp_high_1", "cleared", "86.2", null))).isEmpty();
    }

    @Test
    void they_live_with_their_source() {
        assertThat(Sources.home("comsrv:17:T")).isEqualTo("17");
        assertThat(Sources.home("model:tr_1:measurement")).isEqualTo(Declaration.SITE);
        assertThat(Sources.home(null)).isEqualTo(Declaration.SITE);
    }

    @Test
    void they_live_and_die_whole_also_when_they_move_to_another_source() {
        RoundTrip.of(
                RULES,
                "hot",
                new AlarmRule("hot", "comsrv:1:T", "101", "85", ">"),
                new AlarmRule("hot", "model:tr_1:measurement", "temperature", "85.50", null));
        RoundTrip.of(
                ALARMS,
                "hot",
                new Alarm("hot", "active", "86.2", "comsrv:1:T"),
                new Alarm("hot", "cleared", "86.2", "comsrv:2:T"));
    }
}
