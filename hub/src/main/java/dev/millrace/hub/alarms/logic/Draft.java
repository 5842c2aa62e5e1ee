package dev.millrace.hub.alarms.logic;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A transition that is being put together. */
final class Draft {
    private static final List<String> OF_AN_EPISODE =
            List.of(
                    Alarm.CLEAR_VALUE,
                    Alarm.CLEARED_AT,
                    Alarm.CLEAR_REASON,
                    Alarm.ACK_TIME,
                    Alarm.ACKNOWLEDGED_BY,
                    Alarm.ACK_NOTE,
                    Alarm.PENDING_SINCE,
                    Alarm.PENDING_MS,
                    Alarm.CLEARING_SINCE,
                    Alarm.CLEARING_MS,
                    Alarm.MATCH_COUNT,
                    Alarm.SUPPRESSED,
                    Alarm.HOLDOFF_MS,
                    Alarm.ESCALATED,
                    Alarm.BY_NO_DATA);

    private final AlarmRule rule;
    private final Terms terms;
    private final Alarm before;
    private final long now;
    private final Map<String, String> set = new LinkedHashMap<>();
    private final Set<String> removed = new HashSet<>();
    private final List<AlarmEvent> events = new ArrayList<>(1);
    private final List<Timer.Change> timers = new ArrayList<>(1);
    private boolean enabled;

    Draft(AlarmRule rule, Terms terms, Alarm before, long now) {
        this.rule = rule;
        this.terms = terms;
        this.before = before;
        this.now = now;
        this.enabled = rule.isEnabled();
    }

    /** As the rule will be, not as it was. */
    Draft enabled(boolean then) {
        enabled = then;
        return this;
    }

    boolean has(String field) {
        return set.containsKey(field) || (before.has(field) && !removed.contains(field));
    }

    boolean isActive() {
        return Alarm.ACTIVE.equals(set.getOrDefault(Alarm.STATUS, before.text(Alarm.STATUS, "")));
    }

    Draft set(String field, @Nullable String value) {
        if (value != null) {
            set.put(field, value);
            removed.remove(field);
        }
        return this;
    }

    Draft remove(String... fields) {
        for (String each : fields) {
            set.remove(each);
            if (before.has(each)) {
                removed.add(each);
            }
        }
        return this;
    }

    Draft event(AlarmEvent.Type type, @Nullable String value, @Nullable String... more) {
        Map<String, String> said = new HashMap<>();
        for (int i = 0; i + 1 < more.length; i += 2) {
            String name = more[i];
            String text = more[i + 1];
            if (name != null && text != null) {
                said.put(name, text);
            }
        }
        events.add(new AlarmEvent(type, value, said));
        return this;
    }

    Draft timer(Timer timer, long due) {
        timers.removeIf(each -> each.timer() == timer);
        timers.add(new Timer.Change.Set(timer, due));
        return this;
    }

    /** Cancelling one that was never set is harmless. */
    Draft cancel(Timer timer) {
        timers.removeIf(each -> each.timer() == timer);
        timers.add(new Timer.Change.Cancelled(timer));
        return this;
    }

    // ---------------------------------------------------------------- what belongs together

    /** A condition began to hold, or not to hold any more; its delay runs. */
    Draft running(String seconds, String millis, Timer timer, long delay) {
        return set(seconds, Texts.seconds(now))
                .set(millis, Long.toString(now))
                .timer(timer, now + delay);
    }

    Draft notPending() {
        if (has(Alarm.PENDING_SINCE)) {
            cancel(Timer.ON_DELAY);
        }
        return remove(Alarm.PENDING_SINCE, Alarm.PENDING_MS, Alarm.MATCH_COUNT, Alarm.SUPPRESSED);
    }

    Draft notClearing() {
        if (has(Alarm.CLEARING_SINCE)) {
            cancel(Timer.OFF_DELAY);
        }
        return remove(Alarm.CLEARING_SINCE, Alarm.CLEARING_MS);
    }

    /** A new episode begins: nothing of the one before is left. */
    Draft raise(@Nullable String value) {
        notPending();
        notClearing();
        if (has(Alarm.HOLDOFF_MS)) {
            cancel(Timer.HOLDOFF);
        }
        remove(OF_AN_EPISODE.toArray(String[]::new));
        set(Alarm.STATUS, Alarm.ACTIVE);
        set(AlarmRule.SOURCE_KEY, rule.sourceKey());
        set(AlarmRule.FIELD, rule.field());
        set(AlarmRule.THRESHOLD, rule.text(AlarmRule.THRESHOLD));
        set(AlarmRule.OPERATOR, rule.operatorWord());
        set(AlarmRule.LEVEL, rule.level().word());
        set(AlarmRule.TITLE, rule.title());
        set(AlarmRule.CATEGORY, rule.text(AlarmRule.CATEGORY));
        set(Alarm.TRIGGER_VALUE, value == null ? "" : value);
        set(Alarm.CURRENT_VALUE, value == null ? "" : value);
        set(Alarm.TRIGGERED_AT, Texts.seconds(now));
        set(Alarm.ACKNOWLEDGED, "0");
        set(Alarm.COUNT, Long.toString(before.number(Alarm.COUNT) + 1));
        if (terms instanceof Terms.Valid valid) {
            valid.escalation()
                    .after(0)
                    .ifPresent(step -> timer(Timer.ESCALATION, now + step.after()));
        }
        return this;
    }

    /** The episode ends. */
    Draft end(@Nullable String value, String reason, AlarmEvent.Type type, @Nullable String user) {
        notClearing();
        set(Alarm.STATUS, Alarm.CLEARED);
        set(Alarm.CLEARED_AT, Texts.seconds(now));
        set(Alarm.CLEAR_REASON, reason);
        String last = value == null ? before.text(Alarm.CURRENT_VALUE) : value;
        set(Alarm.CLEAR_VALUE, last);
        set(Alarm.CURRENT_VALUE, last);
        remove(Alarm.BY_NO_DATA);
        if (!has(Alarm.ACKNOWLEDGED)) {
            set(Alarm.ACKNOWLEDGED, "0");
        }
        cancelIfEver(
                Timer.ESCALATION,
                terms instanceof Terms.Valid v && !v.escalation().steps().isEmpty());
        cancelIfEver(Timer.RE_ALARM, terms instanceof Terms.Valid v && v.reAlarmAfter() > 0);
        event(type, last, "reason", reason, "user", user);
        if (before.isShelvedOnce()) {
            unshelve(null);
        }
        return this;
    }

    private void cancelIfEver(Timer timer, boolean ever) {
        if (ever) {
            cancel(timer);
        }
    }

    Draft unshelve(@Nullable String user) {
        return remove(Alarm.SHELVED_UNTIL, Alarm.SHELVED_BY, Alarm.SHELVE_REASON)
                .cancel(Timer.SHELVING)
                .event(AlarmEvent.Type.UNSHELVED, null, "user", user);
    }

    // ---------------------------------------------------------------- the end

    /** All of it, with the state that it comes to. */
    Step done() {
        return new Step.Moves(transition());
    }

    Transition transition() {
        if (set.isEmpty() && removed.isEmpty() && events.isEmpty() && timers.isEmpty()) {
            return Transition.none(before);
        }
        if (set.isEmpty() && removed.isEmpty() && events.isEmpty()) {
            return new Transition(before, set, removed, events, timers, true);
        }
        boolean noteworthy =
                !events.isEmpty()
                        || !timers.isEmpty()
                        || !removed.isEmpty()
                        || !Set.of(Alarm.CURRENT_VALUE).containsAll(set.keySet());
        if (!has(Alarm.STATUS)) {
            set.put(Alarm.STATUS, Alarm.CLEARED);
        }
        set.putIfAbsent(Alarm.UPDATED_AT, Texts.seconds(now));
        if (!before.exists()) {
            set(AlarmRule.SOURCE_KEY, rule.sourceKey());
            set(AlarmRule.FIELD, rule.field());
        }
        Transition unsaid = new Transition(before, set, removed, events, timers, noteworthy);
        String state = AlarmState.of(unsaid.after(), enabled, terms.acknowledging()).word();
        if (!state.equals(before.text(Alarm.STATE))) {
            set.put(Alarm.STATE, state);
            noteworthy = true;
        }
        set.entrySet().removeIf(each -> each.getValue().equals(before.text(each.getKey())));
        return new Transition(before, set, removed, events, timers, noteworthy);
    }
}
