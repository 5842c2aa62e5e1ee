package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmEvent;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Lifecycle;
import dev.millrace.hub.alarms.logic.Sources;
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
import java.util.OptionalLong;

/**
 * Rules that are made, changed, moved to another source, enabled, disabled and deleted, each with
 * what that does to its alarm. In a cluster a rule that moves to another channel is several
 * commits: first its alarm ends, then the rule moves, then the alarm. Thread-safe.
 */
public final class RuleChanges {
    private final Keyspace keyspace;
    private final Watchlists lists;
    private final AlarmWrites writes;
    private final AlarmChanges changes;
    private final Observed observed;
    private final InstantSource clock;

    /** A rule as it is wanted, with the JSON that says all of it. */
    public record Wish(AlarmRule rule, String json) {}

    /** What became of a rule. */
    public sealed interface Saved {
        record Created(AlarmRule rule) implements Saved {}

        record Replaced(AlarmRule rule) implements Saved {}

        /** There is one already, and it was to be created. */
        record Taken() implements Saved {}

        /** There is none to be changed. */
        record Absent() implements Saved {}
    }

    /** What is to be there before. */
    public enum Mode {
        EITHER,
        NEW,
        KNOWN
    }

    RuleChanges(
            Keyspace keyspace,
            Watchlists lists,
            AlarmWrites writes,
            AlarmChanges changes,
            Observed observed,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.lists = lists;
        this.writes = writes;
        this.changes = changes;
        this.observed = observed;
        this.clock = clock;
    }

    /**
     * Stores a rule.
     *
     * @param wish gives it, from the one that is there
     */
    public Saved save(String id, Mode mode, UnaryWish wish, @Nullable String user) {
        try (Attempts attempts = new Attempts(lists, id)) {
            return save(id, mode, wish, user, attempts);
        }
    }

    private Saved save(
            String id, Mode mode, UnaryWish wish, @Nullable String user, Attempts attempts) {
        Outcome<Long> last = Outcome.notDone(Reason.CONFLICT, id);
        while (attempts.next()) {
            Optional<Stored<AlarmRule>> before = lists.rules().get(id);
            if (mode == Mode.NEW && before.isPresent()) {
                return new Saved.Taken();
            } else if (mode == Mode.KNOWN && before.isEmpty()) {
                return new Saved.Absent();
            }
            Wish wanted = wish.of(before.map(Stored::value));
            AlarmRule rule = wanted.rule();
            attempts.aloneAt(rule.home());
            boolean far =
                    before.isPresent()
                            && !keyspace.liveTogether(before.get().value().home(), rule.home());
            long generation = lists.generation(rule.home());
            last =
                    far
                            ? moveFar(before.get(), wanted, user)
                            : oneCommit(before.orElse(null), wanted, generation, user);
            if (last.isStored()) {
                before.map(each -> each.value().home())
                        .filter(home -> !home.equals(rule.home()))
                        .ifPresent(lists::load);
                lists.renew(rule.home(), generation, id);
                observed.lookAt(rule);
                return before.isPresent() ? new Saved.Replaced(rule) : new Saved.Created(rule);
            }
            if (!AlarmChanges.isOvertaken(last)) {
                break;
            }
        }
        throw attempts.failure(last);
    }

    /** Gives a rule from the one that is there. */
    @FunctionalInterface
    public interface UnaryWish {
        Wish of(Optional<AlarmRule> before);
    }

    private Outcome<Long> oneCommit(
            @Nullable Stored<AlarmRule> before,
            Wish wanted,
            long generation,
            @Nullable String user) {
        Commit commit = keyspace.commit(wanted.rule().home());
        add(commit, before, wanted, generation, user);
        return commit.run();
    }

    /** Adds a rule to the commit of what it belongs to, whether it is there or not. */
    public void addTo(Commit commit, UnaryWish wish, String id, String user) {
        Optional<Stored<AlarmRule>> before = lists.rules().get(id);
        Wish wanted = wish.of(before.map(Stored::value));
        long generation = lists.generation(wanted.rule().home());
        add(commit, before.orElse(null), wanted, generation, user);
    }

    /** Removes it in the commit of what it belongs to; nothing if there is none. */
    public void removeFrom(Commit commit, String id, String user) {
        lists.rules().get(id).ifPresent(rule -> deletion(commit, rule, user));
    }

    /** Ids of the rules that watch a source, as they are in Redis now. */
    public List<String> rulesOf(String source) {
        return lists.load(Sources.home(source)).all().stream()
                .map(Watch::rule)
                .filter(rule -> source.equals(rule.sourceKey()))
                .map(AlarmRule::id)
                .sorted()
                .toList();
    }

    /** A commit with rules of this source is done: they count from now on. */
    public void changed(String source) {
        for (Watch each : lists.load(Sources.home(source)).all()) {
            if (source.equals(each.rule().sourceKey())) {
                observed.lookAt(each.rule());
            }
        }
    }

    private void add(
            Commit commit,
            @Nullable Stored<AlarmRule> before,
            Wish wanted,
            long generation,
            @Nullable String user) {
        AlarmRule rule = wanted.rule();
        Stored<Alarm> alarm = lists.alarms().get(rule.id()).orElse(null);
        long now = clock.millis();
        AlarmWrites.guarded(commit, rule.home(), generation, true);
        if (before == null) {
            commit.create(RULES, rule);
        } else {
            if (!before.value().home().equals(rule.home())) {
                String old = before.value().home();
                commit.acrossOwners()
                        .increment(AlarmsLayouts.generation(old), 1)
                        .removeMember(AlarmsLayouts.rulesAt(old), rule.id());
            }
            commit.replace(RULES, before, rule);
        }
        commit.set(AlarmsLayouts.submitted(rule.home(), rule.id()), wanted.json())
                .addMember(AlarmsLayouts.rulesAt(rule.home()), rule.id());
        AlarmEvent.Type type =
                before == null ? AlarmEvent.Type.RULE_CREATED : AlarmEvent.Type.RULE_UPDATED;
        Alarm known = alarm == null ? Alarm.none(rule.id()) : alarm.value();
        AlarmEvent event =
                new AlarmEvent(type, null, user == null ? Map.of() : Map.of("user", user));
        writes.tell(commit, rule.home(), event, rule, known, now);
        effects(commit, before == null ? null : before.value(), rule, alarm, now);
    }

    /** What a rule that is another one now does to its alarm, its timers and the others. */
    private void effects(
            Commit commit,
            @Nullable AlarmRule before,
            AlarmRule rule,
            @Nullable Stored<Alarm> alarm,
            long now) {
        Lifecycle cycle = changes.cycle(rule, alarm, now);
        Happening happening = happening(before, rule, alarm);
        if (cycle.after(happening) instanceof Step.Moves(Transition transition)
                && !transition.isNone()) {
            if (alarm != null && !alarm.value().home().equals(rule.home())) {
                commit.acrossOwners(); // it moves with its rule
            }
            writes.add(commit, rule, alarm, transition, () -> Origin.ofCall(now), now);
            if (transition.clears() && lists.silencesOthers(rule.id())) {
                writes.release(commit, rule, now);
            }
        }
        timers(commit, rule, now);
    }

    private Happening happening(
            @Nullable AlarmRule before, AlarmRule rule, @Nullable Stored<Alarm> alarm) {
        if (!rule.isEnabled()) {
            return new Happening.Disabled(null);
        }
        if (before != null && !before.watchesLike(rule)) {
            return new Happening.Moved();
        }
        boolean back = before != null && !before.isEnabled();
        Optional<Happening.Value> value =
                back && alarm != null ? Optional.empty() : observed.value(rule);
        return value.<Happening>map(each -> each).orElseGet(() -> new Happening.Enabled(null));
    }

    /** Those that a rule has from its beginning. */
    void timers(Commit commit, AlarmRule rule, long now) {
        Schedule schedule = writes.timers();
        byte[] home = rule.home().getBytes(UTF_8);
        Terms terms = Terms.of(rule);
        OptionalLong silence = OptionalLong.empty();
        OptionalLong opening = OptionalLong.empty();
        if (terms instanceof Terms.Valid valid && rule.isEnabled()) {
            if (valid.noDataAfter() > 0) {
                silence = OptionalLong.of(now + valid.noDataAfter());
            }
            if (valid.schedule().isPresent()) {
                opening = valid.schedule().get().nextOpening(now);
            }
        }
        set(commit, schedule, Timers.id(Timer.NO_DATA, rule.id()), silence, home);
        set(commit, schedule, Timers.id(Timer.WINDOW, rule.id()), opening, home);
    }

    private static void set(
            Commit commit, Schedule schedule, String id, OptionalLong due, byte[] home) {
        commit.with(
                due.isPresent() ? schedule.item(id, due.getAsLong(), home) : schedule.without(id));
    }

    /** The home of the alarm changes with that of its rule, each by a move of its own. */
    private Outcome<Long> moveFar(Stored<AlarmRule> before, Wish wanted, @Nullable String user) {
        AlarmRule rule = wanted.rule();
        String old = before.value().home();
        changes.change(rule.id(), new Happening.Moved());
        Outcome<Stored<AlarmRule>> moved = lists.rules().replace(before, rule);
        if (!moved.isStored()) {
            return moved.map(each -> 0L);
        }
        lists.alarms()
                .get(rule.id())
                .ifPresent(alarm -> lists.alarms().replace(alarm, withSource(alarm.value(), rule)));
        Outcome<Long> left =
                keyspace.commit(old)
                        .increment(AlarmsLayouts.generation(old), 1)
                        .delete(AlarmsLayouts.submitted(old, rule.id()))
                        .removeMember(AlarmsLayouts.rulesAt(old), rule.id())
                        .run();
        return left.isStored()
                ? oneCommit(moved.orThrow(), wanted, lists.generation(rule.home()), user)
                : left;
    }

    private static Alarm withSource(Alarm alarm, AlarmRule rule) {
        Map<String, String> fields = new HashMap<>(alarm.fields());
        fields.put(AlarmRule.SOURCE_KEY, String.valueOf(rule.sourceKey()));
        fields.put(AlarmRule.FIELD, String.valueOf(rule.field()));
        return new Alarm(alarm.ruleId(), fields);
    }

    /** Removes a rule with its alarm; false if there is none. */
    public boolean delete(String id, @Nullable String user) {
        try (Attempts attempts = new Attempts(lists, id)) {
            return delete(id, user, attempts);
        }
    }

    private boolean delete(String id, @Nullable String user, Attempts attempts) {
        Outcome<Long> last = Outcome.notDone(Reason.CONFLICT, id);
        while (attempts.next()) {
            Optional<Stored<AlarmRule>> rule = lists.rules().get(id);
            if (rule.isEmpty()) {
                return false;
            }
            attempts.aloneAt(rule.get().value().home());
            Commit commit = keyspace.commit(rule.get().value().home());
            deletion(commit, rule.get(), user);
            last = commit.run();
            if (last.isStored()) {
                lists.load(rule.get().value().home());
                return true;
            }
            if (!AlarmChanges.isOvertaken(last)) {
                break;
            }
        }
        throw attempts.failure(last);
    }

    private void deletion(Commit commit, Stored<AlarmRule> rule, @Nullable String user) {
        AlarmRule gone = rule.value();
        String home = gone.home();
        long generation = lists.generation(home);
        Optional<Stored<Alarm>> alarm = lists.alarms().get(gone.id());
        long now = clock.millis();
        AlarmWrites.guarded(commit, home, generation, true);
        commit.delete(RULES, rule)
                .delete(AlarmsLayouts.submitted(home, gone.id()))
                .removeMember(AlarmsLayouts.rulesAt(home), gone.id());
        Alarm known = alarm.map(Stored::value).orElse(Alarm.none(gone.id()));
        alarm.ifPresent(
                each -> {
                    commit.acrossOwners(); // by hand it may have been written without its source
                    commit.delete(ALARMS, each);
                });
        writes.countActive(commit, home);
        if (known.isActive()) {
            String last = known.text(Alarm.CURRENT_VALUE);
            Map<String, String> why = Map.of("reason", "rule_deleted");
            AlarmEvent cleared = new AlarmEvent(AlarmEvent.Type.CLEARED, last, why);
            writes.tell(commit, home, cleared, gone, known, now);
        }
        AlarmEvent event =
                new AlarmEvent(
                        AlarmEvent.Type.RULE_DELETED,
                        null,
                        user == null ? Map.of() : Map.of("user", user));
        writes.tell(commit, home, event, gone, Alarm.none(gone.id()), now);
        for (Timer each : Timer.values()) {
            if (each != Timer.RELEASE) {
                commit.with(writes.timers().without(Timers.id(each, gone.id())));
            }
        }
        if (known.isActive() && lists.silencesOthers(gone.id())) {
            writes.release(commit, gone, now);
        }
    }
}
