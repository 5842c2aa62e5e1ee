package dev.millrace.hub.alarms.logic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.alarms.logic.Happening.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One rule and its alarm, step by step. */
class LifecycleTest {
    private final Map<String, String> fields =
            new HashMap<>(Map.of("source_key", "comsrv:1:T", "field", "101", "threshold", "85"));
    private final List<AlarmEvent.Type> told = new ArrayList<>();
    private Alarm alarm = Alarm.none("hot");
    private long now = 1_000_000_000;
    private boolean silenced;
    private Transition last = Transition.none(alarm);

    private LifecycleTest with(String... more) {
        for (int i = 0; i < more.length; i += 2) {
            fields.put(more[i], more[i + 1]);
        }
        return this;
    }

    private Step step(Happening happening) {
        AlarmRule rule = new AlarmRule("hot", fields);
        Step step = new Lifecycle(rule, Terms.of(rule), alarm, silenced, now).after(happening);
        if (step instanceof Step.Moves(Transition transition)) {
            last = transition;
            alarm = transition.after();
            transition.events().forEach(each -> told.add(each.type()));
        }
        return step;
    }

    private boolean value(double number) {
        step(new Value(Double.toString(number), number, true, false));
        return alarm.isActive();
    }

    private void due(Timer timer, double present) {
        due(timer, present, now);
    }

    private void due(Timer timer, double present, long lastUpdate) {
        Value value = new Value(Double.toString(present), present, true, true);
        step(new Happening.Due(timer, Optional.of(value), lastUpdate));
    }

    private long timer(Timer timer) {
        return last.timers().stream()
                .filter(each -> each.timer() == timer)
                .map(each -> each instanceof Timer.Change.Set(Timer t, long due) ? due : -1L)
                .findFirst()
                .orElse(0L);
    }

    @ParameterizedTest
    @CsvSource({
        ">,85,,85,false",
        ">,85,,85.1,true",
        ">=,85,,85,true",
        "<,85,,85,false",
        "<=,85,,85,true",
        "==,85,,85,true",
        "==,85,,85.5,false",
        "!=,85,,85,false",
        "!=,85,,84,true",
        "between,10,20,10,true",
        "between,10,20,20.5,false",
        "outside,10,20,10,false",
        "outside,10,20,9,true",
        "outside,10,20,21,true",
        "bit,4,,6,true",
        "bit,4,,3,false"
    })
    void operators_compare_doubles_without_tolerance(
            String operator, String threshold, String second, double value, boolean met) {
        with("operator", operator, "threshold", threshold);
        if (second != null) {
            with("threshold2", second);
        }
        assertThat(value(value)).isEqualTo(met);
    }

    @Test
    void a_change_is_any_other_value_than_the_one_before() {
        with("operator", "change");
        assertThat(value(1)).isFalse();
        assertThat(value(1)).isFalse();
        assertThat(value(2)).isTrue();
        assertThat(value(2)).isFalse();
    }

    @Test
    void a_rate_is_per_second() {
        with("operator", "rate>", "threshold", "2");
        value(10);
        now += 2000;
        assertThat(value(14)).isFalse();
        now += 2000;
        assertThat(value(19)).isTrue();
        with("operator", "rate<", "threshold", "-2");
        now += 1000;
        assertThat(value(16)).isTrue();
        now += 1000;
        assertThat(value(15)).isFalse();
    }

    @Test
    void an_own_limit_to_clear_wins_over_the_dead_band() {
        with("clear_threshold", "70", "deadband", "1");
        value(86);
        assertThat(value(75)).isTrue();
        assertThat(value(70)).isFalse();
    }

    @Test
    void the_delay_of_the_example_begins_anew_with_each_value_that_is_too_low() {
        with("on_delay", "5");
        long start = now;
        value(86);
        assertThat(timer(Timer.ON_DELAY)).isEqualTo(start + 5000);
        now = start + 3000;
        value(84);
        assertThat(timer(Timer.ON_DELAY)).isEqualTo(-1);
        now = start + 4000;
        value(86);
        now = start + 9000;
        due(Timer.ON_DELAY, 86);
        assertThat(alarm.isActive()).isTrue();
        assertThat(alarm.number(Alarm.TRIGGERED_AT)).isEqualTo((start + 9000) / 1000);
        assertThat(alarm.text(Alarm.TRIGGER_VALUE)).isEqualTo("86.0");
        assertThat(alarm.has(Alarm.PENDING_SINCE)).isFalse();
    }

    @Test
    void an_alarm_ends_when_it_was_over_for_the_delay() {
        with("off_delay", "5");
        value(86);
        assertThat(value(80)).isTrue();
        now += 4000;
        assertThat(value(86)).isTrue();
        assertThat(alarm.has(Alarm.CLEARING_SINCE)).isFalse();
        assertThat(value(80)).isTrue();
        now += 5000;
        due(Timer.OFF_DELAY, 80);
        assertThat(alarm.isActive()).isFalse();
        assertThat(told).containsExactly(AlarmEvent.Type.TRIGGERED, AlarmEvent.Type.CLEARED);
    }

    @Test
    void a_clock_that_goes_back_lengthens_a_delay_and_breaks_nothing() {
        with("on_delay", "5");
        value(86);
        now -= 60_000;
        assertThat(value(86)).isFalse();
        now += 65_000;
        assertThat(value(86)).isTrue();
    }

    @Test
    void so_many_in_a_row_and_looking_again_does_not_count() {
        with("repeat_count", "3");
        assertThat(value(90)).isFalse();
        step(new Value("90", 90, true, true));
        assertThat(value(90)).isFalse();
        assertThat(value(80)).isFalse();
        assertThat(alarm.has(Alarm.MATCH_COUNT)).isFalse();
        value(90);
        value(90);
        assertThat(value(90)).isTrue();
    }

    @Test
    void a_latched_alarm_stays_until_somebody_resets_it_and_its_condition_is_over() {
        with("latched", "true");
        value(90);
        assertThat(value(80)).isTrue();
        Value met = new Value("90", 90, true, true);
        assertThat(step(new Happening.Reset("ada", Optional.of(met))))
                .isInstanceOf(Step.NotNow.class);
        Value unmet = new Value("80", 80, true, true);
        step(new Happening.Reset("ada", Optional.of(unmet)));
        assertThat(alarm.isActive()).isFalse();
        assertThat(told)
                .containsExactly(
                        AlarmEvent.Type.TRIGGERED, AlarmEvent.Type.RESET, AlarmEvent.Type.CLEARED);
    }

    @Test
    void missing_data_raises_an_alarm_and_data_ends_it() {
        with("no_data_after", "10");
        long start = now;
        now = start + 10_000;
        due(Timer.NO_DATA, 50, start + 5000);
        assertThat(alarm.isActive()).isFalse();
        assertThat(timer(Timer.NO_DATA)).isEqualTo(start + 15_000);
        assertThat(alarm.exists()).isFalse();
        now = start + 15_000;
        due(Timer.NO_DATA, 50, start + 5000);
        assertThat(alarm.isActive()).isTrue();
        assertThat(told).containsExactly(AlarmEvent.Type.NO_DATA, AlarmEvent.Type.TRIGGERED);
        now += 1000;
        assertThat(value(51)).isFalse();
        assertThat(timer(Timer.NO_DATA)).isEqualTo(now + 10_000);
        assertThat(told)
                .containsExactly(
                        AlarmEvent.Type.NO_DATA,
                        AlarmEvent.Type.TRIGGERED,
                        AlarmEvent.Type.DATA_RESTORED,
                        AlarmEvent.Type.CLEARED);
    }

    @Test
    void data_that_comes_back_too_high_is_an_alarm_of_its_own() {
        with("no_data_after", "10");
        now += 10_000;
        due(Timer.NO_DATA, 50, now - 10_000);
        assertThat(value(99)).isTrue();
        assertThat(told)
                .containsExactly(
                        AlarmEvent.Type.NO_DATA,
                        AlarmEvent.Type.TRIGGERED,
                        AlarmEvent.Type.DATA_RESTORED,
                        AlarmEvent.Type.CLEARED,
                        AlarmEvent.Type.TRIGGERED);
        assertThat(value(80)).isFalse();
    }

    @Test
    void a_rule_kept_silent_does_not_go_off_and_what_is_raised_stays() {
        silenced = true;
        assertThat(value(90)).isFalse();
        assertThat(alarm.text(Alarm.STATE)).isEqualTo("SUPPR");
        assertThat(value(91)).isFalse();
        assertThat(told).containsExactly(AlarmEvent.Type.SUPPRESSED);
        silenced = false;
        due(Timer.WINDOW, 91);
        assertThat(alarm.isActive()).isTrue();
        silenced = true;
        assertThat(value(92)).isTrue();
        assertThat(value(80)).isFalse();
    }

    @Test
    void bad_quality_is_ignored_or_evaluated_or_raises_an_alarm() {
        Value bad = new Value("90", 90, false, false);
        step(bad);
        assertThat(alarm.isActive()).isFalse();
        with("on_bad_quality", "evaluate");
        step(bad);
        assertThat(alarm.isActive()).isTrue();
        with("on_bad_quality", "trigger");
        step(new Value("1", 1, false, false));
        assertThat(alarm.isActive()).isTrue();
        assertThat(value(1)).isFalse();
        step(new Value("1", 1, false, false));
        assertThat(alarm.isActive()).isTrue();
    }

    @Test
    void outside_of_its_windows_a_rule_does_nothing_and_looks_when_one_opens() {
        with("schedule", "[{\"days\":[\"mon\"],\"from\":\"08:00\",\"to\":\"17:00\"}]");
        now = Instant.parse("2025-08-03T12:00:00Z").toEpochMilli(); // a Sunday
        assertThat(value(90)).isFalse();
        now = Instant.parse("2025-08-04T08:00:00Z").toEpochMilli();
        due(Timer.WINDOW, 90);
        assertThat(alarm.isActive()).isTrue();
        assertThat(timer(Timer.WINDOW))
                .isEqualTo(Instant.parse("2025-08-11T08:00:00Z").toEpochMilli());
        now = Instant.parse("2025-08-04T17:00:00Z").toEpochMilli();
        assertThat(value(80)).isTrue();
    }

    @Test
    void an_acknowledgement_may_end() {
        with("re_alarm_after", "60");
        value(90);
        step(new Happening.Acknowledge("ada", "seen"));
        long until = timer(Timer.RE_ALARM);
        assertThat(until).isEqualTo(now + 60_000);
        now = until;
        due(Timer.RE_ALARM, 90);
        assertThat(alarm.text(Alarm.STATE)).isEqualTo("UNACK");
        assertThat(alarm.has(Alarm.ACKNOWLEDGED_BY)).isFalse();
        assertThat(told).endsWith(AlarmEvent.Type.RE_ALARMED);
    }

    @Test
    void the_level_rises_unless_somebody_takes_care() {
        with(
                "escalate",
                "[{\"after\":60,\"to_level\":\"Minor\",\"unless\":\"acknowledged\"},"
                        + "{\"after\":120,\"to_level\":\"Critical\"}]");
        value(90);
        assertThat(timer(Timer.ESCALATION)).isEqualTo(now + 60_000);
        now += 60_000;
        due(Timer.ESCALATION, 90);
        assertThat(alarm.text(AlarmRule.LEVEL)).isEqualTo("Minor");
        step(new Happening.Acknowledge("ada", null));
        now += 60_000;
        due(Timer.ESCALATION, 90);
        assertThat(alarm.text(AlarmRule.LEVEL)).isEqualTo("Critical");
        assertThat(told)
                .containsExactly(
                        AlarmEvent.Type.TRIGGERED,
                        AlarmEvent.Type.ESCALATED,
                        AlarmEvent.Type.ACKNOWLEDGED,
                        AlarmEvent.Type.ESCALATED);
        value(80);
        value(90);
        assertThat(alarm.text(AlarmRule.LEVEL)).isEqualTo("Warning");
    }

    @Test
    void what_was_cleared_by_hand_comes_back_with_the_next_update_and_not_by_looking() {
        value(90);
        step(new Happening.ClearByHand("ada", 0));
        assertThat(alarm.isActive()).isFalse();
        step(new Value("90.0", 90, true, true));
        assertThat(alarm.isActive()).isFalse();
        assertThat(value(90)).isTrue();
        assertThat(alarm.has(Alarm.CLEARED_AT)).isFalse();
        assertThat(alarm.number(Alarm.COUNT)).isEqualTo(2);
    }

    @Test
    void or_after_a_holdoff_even_without_an_update() {
        value(90);
        step(new Happening.ClearByHand("ada", 10_000));
        assertThat(value(90)).isFalse();
        now += 10_000;
        due(Timer.HOLDOFF, 90);
        assertThat(alarm.isActive()).isTrue();
        assertThat(alarm.has(Alarm.HOLDOFF_MS)).isFalse();
    }

    @Test
    void shelved_once_it_is_shown_again_when_it_ends() {
        value(90);
        step(new Happening.Shelve(0, "ada", "noise"));
        assertThat(alarm.text(Alarm.STATE)).isEqualTo("SHELVED");
        assertThat(value(80)).isFalse();
        assertThat(alarm.isShelved()).isFalse();
        assertThat(told)
                .containsExactly(
                        AlarmEvent.Type.TRIGGERED,
                        AlarmEvent.Type.SHELVED,
                        AlarmEvent.Type.CLEARED,
                        AlarmEvent.Type.UNSHELVED);
    }

    @Test
    void an_alarm_that_needs_no_acknowledgement_is_done_when_it_ends() {
        with("ack_required", "false");
        value(90);
        value(80);
        assertThat(alarm.text(Alarm.STATE)).isEqualTo("NORM");
    }

    @Test
    void an_alarm_written_by_hand_goes_on_from_its_status() {
        alarm = new Alarm("hot", Map.of("status", "active", "trigger_value", "86.2"));
        assertThat(value(87)).isTrue();
        assertThat(alarm.text(Alarm.TRIGGER_VALUE)).isEqualTo("86.2");
        assertThat(value(84)).isFalse();
        assertThat(alarm.text(Alarm.STATE)).isEqualTo("RTNUN");
        assertThat(told).containsExactly(AlarmEvent.Type.CLEARED);
    }

    @Test
    void what_is_not_a_number_changes_nothing() {
        value(90);
        step(new Value("abc", Double.NaN, true, false));
        assertThat(last.isNone()).isTrue();
        assertThat(alarm.isActive()).isTrue();
    }

    @Test
    void a_rule_that_cannot_be_evaluated_says_why_and_does_nothing() {
        with("threshold", "abc");
        assertThat(value(90)).isFalse();
        assertThat(Terms.of(new AlarmRule("hot", fields)))
                .isEqualTo(new Terms.Invalid("threshold must be a number, not 'abc'"));
    }

    @Test
    void titles_take_what_is_known_and_leave_the_rest() {
        AlarmRule rule = new AlarmRule("hot", fields);
        Titles.Point point = new Titles.Point("°C", "boiler");
        assertThat(
                        Titles.rendered(
                                "{device_name} ${point_id}: {value}{unit} {operator} {threshold}"
                                        + " {what}",
                                rule,
                                "90",
                                point))
                .isEqualTo("boiler 101: 90°C > 85 {what}");
    }
}
