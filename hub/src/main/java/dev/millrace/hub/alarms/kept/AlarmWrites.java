package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmEvent;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Timer;
import dev.millrace.hub.alarms.logic.Titles;
import dev.millrace.hub.alarms.logic.Transition;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.schedule.Schedule;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Puts what becomes of an alarm into a commit: its fields, its place in the index, the events with
 * their numbers, the counter of active alarms, timers, and the facts from which others learn of it.
 * Thread-safe.
 */
final class AlarmWrites {
    /** What happened to alarms and their rules, as the list of events tells it. */
    public static final Topic TOPIC =
            Topic.named("alarms").keeping(Duration.ofDays(1), 8L << 20, 16L << 20);

    static final int EVENTS_KEPT = 1000;

    private final Site site;
    private final Feed feed;
    private final Schedule timers;
    private final BiFunction<String, String, Titles.Point> points;
    private volatile LongConsumer onTimer = due -> {};

    /**
     * Writes to this keyspace.
     *
     * @param points what is known about a field of a source
     */
    AlarmWrites(Keyspace keyspace, Site site, BiFunction<String, String, Titles.Point> points) {
        this.site = site;
        this.feed = keyspace.feed(TOPIC);
        this.timers = keyspace.schedule(Timers.NAME);
        this.points = points;
    }

    /** Tells somebody when there will be something to do. */
    void whenTimerIsSet(LongConsumer listener) {
        onTimer = listener;
    }

    /** The rules and alarms of this home are as they were known; from here on they are others. */
    static Commit guarded(Commit commit, String home, long generation, boolean changes) {
        commit.generationIs(AlarmsLayouts.generation(home), generation);
        return changes ? commit.increment(AlarmsLayouts.generation(home), 1) : commit;
    }

    /**
     * Adds a transition.
     *
     * @param before the alarm as it was read; null if there is none
     * @param origin where it comes from, as far as that is known; asked only if it is recorded
     * @return the alarm as it will be
     */
    Alarm add(
            Commit commit,
            AlarmRule rule,
            @Nullable Stored<Alarm> before,
            Transition transition,
            Supplier<Origin> origin,
            long now) {
        String home = rule.home();
        Origin why = origin(transition, origin, now);
        Transition titled = caused(titled(rule, transition), why);
        Alarm after = withCopies(titled.after(), rule);
        if (before != null && before.value().sourceKey() == null) {
            commit.acrossOwners(); // whoever wrote it by hand did not say whose it is
        }
        if (!titled.set().isEmpty() || !titled.removed().isEmpty()) {
            if (before == null) {
                commit.create(ALARMS, after);
            } else {
                commit.update(ALARMS, before, after);
            }
        }
        if (before == null || before.value().isActive() != after.isActive()) {
            countActive(commit, home);
        }
        for (AlarmEvent event : titled.events()) {
            tell(commit, home, event, rule, after, why, now);
        }
        for (Timer.Change change : titled.timers()) {
            String id = Timers.id(change.timer(), rule.id());
            switch (change) {
                case Timer.Change.Set(Timer timer, long due) -> {
                    commit.with(timers.item(id, due, home.getBytes(UTF_8)));
                    onTimer.accept(due);
                }
                case Timer.Change.Cancelled(Timer timer) -> commit.with(timers.without(id));
            }
        }
        return after;
    }

    /** What happens later, by a timer, comes from the value with which its delay began. */
    private static Origin origin(Transition transition, Supplier<Origin> origin, long now) {
        Alarm before = transition.before();
        Origin known =
                transition.noteworthy() && transition.changesAlarm()
                        ? origin.get()
                        : Origin.UNKNOWN;
        if (known.isKnown() || !transition.triggers()) {
            return known;
        }
        return before.has(Alarm.PENDING_SINCE) && before.has(Alarm.CAUSE)
                ? new Origin(before.text(Alarm.CAUSE, ""), before.text(Alarm.CAUSED_BY, ""))
                : Origin.ofMoment(now);
    }

    /** An alarm that goes off, or is about to, says what has led to it. */
    private static Transition caused(Transition transition, Origin why) {
        boolean begins =
                transition.set().containsKey(Alarm.COUNT)
                        || transition.set().containsKey(Alarm.PENDING_SINCE);
        if (!begins || !why.isKnown()) {
            return transition;
        }
        Map<String, String> set = new HashMap<>(transition.set());
        Set<String> removed = new HashSet<>(transition.removed());
        set.put(Alarm.CAUSE, why.cause());
        if (!why.from().isEmpty()) {
            set.put(Alarm.CAUSED_BY, why.from());
        } else if (transition.before().has(Alarm.CAUSED_BY)) {
            removed.add(Alarm.CAUSED_BY);
        }
        return with(transition, set, removed);
    }

    private static Transition with(
            Transition transition, Map<String, String> set, Set<String> removed) {
        return new Transition(
                transition.before(),
                set,
                removed,
                transition.events(),
                transition.timers(),
                transition.noteworthy());
    }

    /** An alarm that was written by hand may not say what it is about. */
    private static Alarm withCopies(Alarm alarm, AlarmRule rule) {
        if (alarm.sourceKey() != null || rule.sourceKey() == null || !alarm.exists()) {
            return alarm;
        }
        Map<String, String> fields = new HashMap<>(alarm.fields());
        fields.put(AlarmRule.SOURCE_KEY, rule.sourceKey());
        if (rule.field() != null) {
            fields.put(AlarmRule.FIELD, rule.field());
        }
        return new Alarm(alarm.ruleId(), fields);
    }

    /** What stands in {@code status:system} follows from the index, so it cannot drift. */
    void countActive(Commit commit, String home) {
        site.size(commit, home, Site.Counted.ACTIVE_ALARMS, ALARMS, AlarmsLayouts.ACTIVE);
    }

    /** Told in the list, whose reader may have damaged it, and in the feed. */
    void tell(Commit commit, String home, AlarmEvent event, AlarmRule rule, Alarm after, long now) {
        tell(commit, home, event, rule, after, Origin.UNKNOWN, now);
    }

    private void tell(
            Commit commit,
            String home,
            AlarmEvent event,
            AlarmRule rule,
            Alarm after,
            Origin why,
            long now) {
        ObjectNode json = EventText.of(event, rule, after, now);
        if (why.isKnown()) {
            json.put("cause", why.cause());
        }
        if (!why.from().isEmpty()) {
            json.put("from", why.from());
        }
        byte[] text = Json.write(json);
        commit.logIfList(
                        AlarmsLayouts.events(home),
                        AlarmsLayouts.eventNumber(home),
                        "{\"seq\":",
                        "," + new String(text, 1, text.length - 1, UTF_8),
                        EVENTS_KEPT)
                .with(feed.fact(text));
    }

    /** Those that the alarm of this rule has kept silent are looked at again. */
    void release(Commit commit, AlarmRule rule, long now) {
        String id = Timers.id(Timer.RELEASE, rule.id());
        commit.with(timers.item(id, now, rule.home().getBytes(UTF_8)));
        onTimer.accept(now);
    }

    /** The title of an alarm that goes off says what the point and the value were then. */
    private Transition titled(AlarmRule rule, Transition transition) {
        if (!transition.set().containsKey(Alarm.COUNT)) {
            return transition;
        }
        Titles.Point point =
                points.apply(String.valueOf(rule.sourceKey()), String.valueOf(rule.field()));
        String value = transition.set().get(Alarm.TRIGGER_VALUE);
        Map<String, String> set = new HashMap<>(transition.set());
        set.put(Alarm.RENDERED, Titles.rendered(rule.title(), rule, value, point));
        return with(transition, set, transition.removed());
    }

    /** The alarm as it is when the commit is done. */
    static Stored<Alarm> stored(Stored<?> beside, Alarm after) {
        return new Stored<>(after.ruleId(), after, new Raw.Fields(after.fields()), beside.place());
    }

    Schedule timers() {
        return timers;
    }
}
