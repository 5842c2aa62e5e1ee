package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Lifecycle;
import dev.millrace.hub.alarms.logic.Step;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.alarms.logic.Timer;
import dev.millrace.hub.alarms.logic.Transition;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Schedule;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What people and timers do to alarms: read, decide, write, and again if anything has changed in
 * between. Thread-safe.
 */
public final class AlarmChanges {
    private final Keyspace keyspace;
    private final Watchlists lists;
    private final AlarmWrites writes;
    private final Observed observed;
    private final InstantSource clock;
    private final long startedAt;

    /** What became of it. */
    public sealed interface Changed {
        record Done(AlarmRule rule, Alarm alarm, Transition transition) implements Changed {}

        /** The alarm is not in a state for that. */
        record NotNow(String why) implements Changed {}

        /** There is none. */
        record Absent() implements Changed {}
    }

    AlarmChanges(
            Keyspace keyspace,
            Watchlists lists,
            AlarmWrites writes,
            Observed observed,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.lists = lists;
        this.writes = writes;
        this.observed = observed;
        this.clock = clock;
        this.startedAt = clock.millis();
    }

    /** Something happens to the alarm of a rule, or to one that has none. */
    public Changed change(String id, Happening happening) {
        return change(id, rule -> happening, null);
    }

    /** The same where it depends on the present value: what holds now is looked at again. */
    public Changed changeWithValue(
            String id, Function<Optional<Happening.Value>, Happening> happening) {
        return change(id, rule -> happening.apply(observed.value(rule)), null);
    }

    /** The value that stands is looked at, because the rule is new or another one. */
    Changed evaluate(String id) {
        return change(
                id,
                rule ->
                        observed.value(rule)
                                .<Happening>map(value -> value)
                                .orElseGet(() -> new Happening.Enabled(null)),
                null);
    }

    /**
     * Changes it.
     *
     * @param claim of the timer that asks for it, which is done with it
     */
    private Changed change(
            String id, Function<AlarmRule, Happening> happening, Schedule.@Nullable Claim claim) {
        try (Attempts attempts = new Attempts(lists, id)) {
            return change(id, happening, claim, attempts);
        }
    }

    private Changed change(
            String id,
            Function<AlarmRule, Happening> happening,
            Schedule.@Nullable Claim claim,
            Attempts attempts) {
        Outcome<Long> last = Outcome.notDone(Reason.CONFLICT, id);
        while (attempts.next()) {
            Optional<Stored<AlarmRule>> rule = lists.rules().get(id);
            Optional<Stored<Alarm>> alarm = lists.alarms().get(id);
            String home =
                    rule.map(each -> each.value().home())
                            .or(() -> alarm.map(each -> each.value().home()))
                            .orElse("");
            if (home.isEmpty()) {
                return new Changed.Absent();
            }
            if (attempts.again()) {
                attempts.aloneAt(home);
            }
            long generation = lists.generation(home);
            if (!isSame(rule, lists.rules().get(id)) || !isSame(alarm, lists.alarms().get(id))) {
                continue; // it was changed before the generation was read
            }
            AlarmRule known = rule.map(Stored::value).orElseGet(() -> ruleOf(alarm.orElseThrow()));
            long now = clock.millis();
            Lifecycle cycle = cycle(known, alarm.orElse(null), now);
            Happening happens = happening.apply(known);
            switch (cycle.after(happens)) {
                case Step.NeverRaised() -> {
                    return new Changed.Absent();
                }
                case Step.NotNow(String why) -> {
                    return new Changed.NotNow(why);
                }
                case Step.Moves(Transition transition) -> {
                    Commit commit = keyspace.commit(home);
                    if (claim != null) {
                        commit.with(claim.done());
                    }
                    if (transition.isNone()) {
                        return unchanged(claim, known, transition);
                    }
                    AlarmWrites.guarded(commit, home, generation, transition.changesAlarm());
                    Alarm after =
                            writes.add(
                                    commit,
                                    known,
                                    alarm.orElse(null),
                                    transition,
                                    () -> origin(happens, now),
                                    now);
                    if (transition.clears() && lists.silencesOthers(id)) {
                        writes.release(commit, known, now);
                    }
                    last = commit.run();
                    if (!isOvertaken(last)) {
                        last.orThrow();
                        if (transition.changesAlarm()) {
                            lists.load(home);
                        }
                        return new Changed.Done(known, after, transition);
                    }
                }
            }
        }
        throw attempts.failure(last);
    }

    private static Origin origin(Happening happening, long now) {
        return happening instanceof Happening.RaiseByHand by
                ? by.origin().isKnown() ? by.origin() : Origin.ofCall(now)
                : Origin.UNKNOWN;
    }

    /** Nothing is to be written about the alarm; perhaps about the timer that asked. */
    private static Changed unchanged(
            Schedule.@Nullable Claim claim, AlarmRule rule, Transition transition) {
        if (claim != null) {
            finish(claim);
        }
        return new Changed.Done(rule, transition.before(), transition);
    }

    /** Another one may have claimed it meanwhile, and does the same. */
    private static void finish(Schedule.Claim claim) {
        Outcome<Long> outcome = claim.commit().with(claim.done()).run();
        if (!isOvertaken(outcome)) {
            outcome.orThrow();
        }
    }

    static boolean isOvertaken(Outcome<?> outcome) {
        return outcome.failedBy(Reason.CONFLICT)
                || outcome.failedBy(Reason.ABSENT)
                || outcome.failedBy(Reason.DUPLICATE);
    }

    private static boolean isSame(
            Optional<? extends Stored<?>> one, Optional<? extends Stored<?>> other) {
        return one.map(Stored::raw).equals(other.map(Stored::raw));
    }

    Lifecycle cycle(AlarmRule rule, @Nullable Stored<Alarm> alarm, long now) {
        return new Lifecycle(
                rule,
                Terms.of(rule),
                alarm == null ? Alarm.none(rule.id()) : alarm.value(),
                lists.isActive(rule.suppressedBy()),
                now);
    }

    /** An alarm that somebody raised without a rule says itself what it is about. */
    private static AlarmRule ruleOf(Stored<Alarm> alarm) {
        Map<String, String> fields = new HashMap<>();
        for (String each : AlarmRule.FIELDS) {
            String value = alarm.value().text(each);
            if (value != null) {
                fields.put(each, value);
            }
        }
        return new AlarmRule(alarm.id(), fields);
    }

    /**
     * Raises an alarm that has no rule.
     *
     * @param like says its level, title and, if it has one, its source
     * @return empty if there is a rule or an alarm of this id meanwhile
     */
    public Optional<Alarm> raise(AlarmRule like, Happening.RaiseByHand happening) {
        long now = clock.millis();
        Lifecycle cycle = cycle(like, null, now);
        if (!(cycle.after(happening) instanceof Step.Moves(Transition transition))) {
            return Optional.empty();
        }
        Commit commit = keyspace.commit(like.home());
        Alarm after = writes.add(commit, like, null, transition, () -> origin(happening, now), now);
        commit.increment(AlarmsLayouts.generation(like.home()), 1);
        Outcome<Long> outcome = commit.run();
        if (isOvertaken(outcome)) {
            return Optional.empty();
        }
        outcome.orThrow();
        return Optional.of(after);
    }

    // ---------------------------------------------------------------- timers

    /** A timer is due. */
    void due(Timer timer, String ruleId, String home, Schedule.Claim claim) {
        if (timer == Timer.RELEASE) {
            List.copyOf(lists.silencedBy(ruleId))
                    .forEach(child -> change(child, this::looking, null));
            finish(claim);
            return;
        }
        String now = lists.homeOf(ruleId).orElse(home);
        if (!keyspace.liveTogether(now, home)) {
            finish(claim); // its rule has moved, and has timers where it lives now
            return;
        }
        Changed changed = change(ruleId, rule -> happening(timer, rule), claim);
        if (changed instanceof Changed.Absent) {
            finish(claim);
        }
    }

    private Happening happening(Timer timer, AlarmRule rule) {
        long seen = lists.watch(rule.id()).map(Watch::seenAt).orElse(0L);
        long told = observed.lastUpdate(rule);
        long last = Math.max(told, seen);
        return new Happening.Due(
                timer, observed.value(rule), last == 0 ? Math.max(startedAt, since(rule)) : last);
    }

    /** A rule that is new waits from its beginning. */
    private static long since(AlarmRule rule) {
        return secondsOf(rule) * 1000;
    }

    private static long secondsOf(AlarmRule rule) {
        String text = rule.text(AlarmRule.UPDATED_AT);
        return text == null || !text.matches("[0-9]{1,12}") ? 0 : Long.parseLong(text);
    }

    /** The value that stands is looked at as if the window of the rule had just opened. */
    private Happening looking(AlarmRule rule) {
        return new Happening.Due(Timer.WINDOW, observed.value(rule), 0);
    }
}
