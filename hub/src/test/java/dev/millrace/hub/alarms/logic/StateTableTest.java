package dev.millrace.hub.alarms.logic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.alarms.logic.Happening.Value;
import dev.millrace.hub.why.Origin;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Every state and everything that can happen in it, with and without delays: what the state is
 * then, and what is told. The tables are the documentation; a change of one line is a decision.
 */
class StateTableTest {
    private static final long NOW = 1_000_000_000;
    private static final Value MET = new Value("90", 90, true, false);
    private static final Value UNMET = new Value("80", 80, true, false);

    private static AlarmRule rule(String... more) {
        AlarmRule rule =
                new AlarmRule(
                        "hot",
                        Map.of("source_key", "comsrv:1:T", "field", "101", "threshold", "85"));
        for (int i = 0; i < more.length; i += 2) {
            rule = rule.with(more[i], more[i + 1]);
        }
        return rule;
    }

    private static Step step(AlarmRule rule, Alarm alarm, long now, Happening happening) {
        return new Lifecycle(rule, Terms.of(rule), alarm, false, now).after(happening);
    }

    private static Alarm after(AlarmRule rule, Alarm alarm, Happening... happenings) {
        return after(NOW - 1, rule, alarm, happenings);
    }

    private static Alarm after(long then, AlarmRule rule, Alarm alarm, Happening... happenings) {
        Alarm now = alarm;
        for (Happening each : happenings) {
            now = ((Step.Moves) step(rule, now, then, each)).transition().after();
        }
        return now;
    }

    /** How each state comes about, without delays. */
    private static Map<String, Alarm> states(AlarmRule rule) {
        Happening acknowledge = new Happening.Acknowledge("ada", null);
        Happening shelve = new Happening.Shelve(60_000, "ada", null);
        AlarmRule quick = rule.with("on_delay", "0").with("off_delay", "0");
        Alarm none = Alarm.none("hot");
        Map<String, Alarm> all = new LinkedHashMap<>();
        all.put("none", none);
        all.put("norm", after(quick, none, MET, acknowledge, UNMET));
        all.put("unack", after(quick, none, MET));
        all.put("acked", after(quick, none, MET, acknowledge));
        all.put("rtnun", after(quick, none, MET, UNMET));
        all.put("shelved", after(quick, none, shelve));
        all.put("shelved, raised", after(quick, none, MET, shelve));
        all.put("oosrv", after(quick, none, MET, new Happening.Disabled(null)));
        if (!rule.equals(quick) && rule.text("on_delay") != null) {
            long before = NOW - 6000;
            all.put("pending", after(rule, none, MET));
            all.put("pending, over", after(before, rule, none, MET));
            all.put("clearing", after(rule, after(quick, none, MET), UNMET));
            all.put("clearing, over", after(before, rule, after(quick, none, MET), UNMET));
        }
        return all;
    }

    private static Map<String, Happening> happenings() {
        Optional<Value> met = Optional.of(MET);
        Map<String, Happening> all = new LinkedHashMap<>();
        all.put("met", MET);
        all.put("unmet", UNMET);
        all.put("bad", new Value("90", 90, false, false));
        all.put("acknowledge", new Happening.Acknowledge("ada", null));
        all.put("shelve", new Happening.Shelve(1000, null, null));
        all.put("unshelve", new Happening.Unshelve(null));
        all.put("reset", new Happening.Reset(null, Optional.of(UNMET)));
        all.put("clear", new Happening.ClearByHand(null, 0));
        all.put("raise", new Happening.RaiseByHand("1", null, null, Origin.UNKNOWN));
        all.put("disable", new Happening.Disabled(null));
        all.put("enable", new Happening.Enabled(null));
        all.put("move", new Happening.Moved());
        for (Timer timer : Timer.values()) {
            all.put(timer.name(), new Happening.Due(timer, met, NOW));
        }
        return all;
    }

    private static String table(AlarmRule rule) {
        StringBuilder table = new StringBuilder();
        states(rule)
                .forEach(
                        (state, alarm) ->
                                happenings()
                                        .forEach(
                                                (name, happening) ->
                                                        table.append(state)
                                                                .append(" | ")
                                                                .append(name)
                                                                .append(" | ")
                                                                .append(
                                                                        said(
                                                                                rule, state, alarm,
                                                                                happening))
                                                                .append('\n')));
        return table.toString();
    }

    private static String said(AlarmRule rule, String state, Alarm alarm, Happening happening) {
        AlarmRule now = state.equals("oosrv") ? rule.with("enabled", "false") : rule;
        return switch (step(now, alarm, NOW, happening)) {
            case Step.NeverRaised() -> "never raised";
            case Step.NotNow(String why) -> "not now";
            case Step.Moves(Transition transition) -> said(alarm, transition);
        };
    }

    private static String said(Alarm before, Transition transition) {
        StringJoiner events = new StringJoiner(" ");
        transition.events().forEach(each -> events.add(each.type().word()));
        Alarm after = transition.after();
        String delay =
                after.has(Alarm.PENDING_SINCE) && !before.has(Alarm.PENDING_SINCE)
                        ? " pending"
                        : after.has(Alarm.CLEARING_SINCE) && !before.has(Alarm.CLEARING_SINCE)
                                ? " clearing"
                                : "";
        String what =
                after.text(Alarm.STATE, "-")
                        + (after.isActive() ? "*" : "")
                        + delay
                        + (events.length() == 0 ? "" : ": " + events);
        return transition.isNone() ? "=" : what;
    }

    private static String golden(String name) {
        try (InputStream in =
                Objects.requireNonNull(StateTableTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void without_delays() {
        assertThat(table(rule())).isEqualTo(golden("states-without-delays.txt"));
    }

    @Test
    void with_delays() {
        assertThat(table(rule("on_delay", "5", "off_delay", "5")))
                .isEqualTo(golden("states-with-delays.txt"));
    }
}
