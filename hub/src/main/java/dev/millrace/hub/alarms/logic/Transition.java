package dev.millrace.hub.alarms.logic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What becomes of an alarm: fields that get another value, fields that go, what is told, what is
 * due later. All of it is written together or not at all.
 *
 * @param noteworthy whether it is more than a newer value of an alarm that stays as it is
 */
public record Transition(
        Alarm before,
        Map<String, String> set,
        Set<String> removed,
        List<AlarmEvent> events,
        List<Timer.Change> timers,
        boolean noteworthy) {

    public Transition {
        set = Map.copyOf(set);
        removed = Set.copyOf(removed);
        events = List.copyOf(events);
        timers = List.copyOf(timers);
    }

    /** Nothing. */
    public static Transition none(Alarm alarm) {
        return new Transition(alarm, Map.of(), Set.of(), List.of(), List.of(), false);
    }

    public boolean isNone() {
        return set.isEmpty() && removed.isEmpty() && events.isEmpty() && timers.isEmpty();
    }

    /** Whether it is more than timers. */
    public boolean changesAlarm() {
        return !set.isEmpty() || !removed.isEmpty() || !events.isEmpty();
    }

    public Alarm after() {
        if (set.isEmpty() && removed.isEmpty()) {
            return before;
        }
        Map<String, String> fields = new HashMap<>(before.fields());
        fields.keySet().removeAll(removed);
        fields.putAll(set);
        return new Alarm(before.ruleId(), fields);
    }

    public boolean triggers() {
        return !before.isActive() && Alarm.ACTIVE.equals(set.get(Alarm.STATUS));
    }

    public boolean clears() {
        return before.isActive() && Alarm.CLEARED.equals(set.get(Alarm.STATUS));
    }
}
