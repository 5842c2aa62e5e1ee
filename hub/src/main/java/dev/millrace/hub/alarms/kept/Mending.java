package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.GENERATION;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RESERVED;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULE_AS_SUBMITTED;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes over what others wrote by hand, in whichever order: a rule gets its index entries and its
 * JSON, and counts from now on; an alarm gets its place in the index. Nothing is written where
 * nothing is missing, so our own writes, which are noticed too, end here. Thread-safe.
 */
public final class Mending {
    private final Keyspace keyspace;
    private final Watchlists lists;
    private final AlarmWrites writes;
    private final AlarmChanges changes;
    private final RuleChanges rules;
    private final Observed observed;
    private final InstantSource clock;

    Mending(
            Keyspace keyspace,
            Watchlists lists,
            AlarmWrites writes,
            AlarmChanges changes,
            RuleChanges rules,
            Observed observed,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.lists = lists;
        this.writes = writes;
        this.changes = changes;
        this.rules = rules;
        this.observed = observed;
        this.clock = clock;
    }

    // ---------------------------------------------------------------- rules

    /** Somebody may have written this rule, or an entry for it. */
    public void ruleTouched(String id) {
        if (RESERVED.contains(id)) {
            return;
        }
        Optional<Stored<AlarmRule>> stored = lists.rules().get(id);
        Optional<Watch> known = lists.watch(id);
        if (stored.isEmpty()) {
            known.ifPresent(this::ruleGone);
        } else if (known.isEmpty() || !known.get().rule().equals(stored.get().value())) {
            Optional<AlarmRule> before = known.map(Watch::rule);
            if (takeOver(stored.get(), before)) {
                lists.load(stored.get().value().home());
                takenOver(stored.get().value(), before);
            }
        }
    }

    /** Takes over what is new or changed, however many they are. */
    private void takeOverAll(List<Stored<AlarmRule>> touched) {
        Map<AlarmRule, Optional<AlarmRule>> taken = new LinkedHashMap<>();
        for (Stored<AlarmRule> each : touched) {
            Optional<AlarmRule> before = lists.watch(each.id()).map(Watch::rule);
            if (takeOver(each, before)) {
                taken.put(each.value(), before);
            }
        }
        taken.keySet().stream().map(AlarmRule::home).distinct().forEach(lists::load);
        taken.forEach(this::takenOver);
    }

    /** Whether it is ours now; if not, the rest of it is still to come, or somebody is faster. */
    private boolean takeOver(Stored<AlarmRule> stored, Optional<AlarmRule> known) {
        AlarmRule rule = stored.value();
        if (!rule.watches() || RESERVED.contains(rule.id())) {
            return false;
        }
        String home = rule.home();
        Commit commit = keyspace.commit(home).increment(GENERATION.at(home), 1);
        // As it was known, it has left traces that the hash does not tell of any more.
        Stored<AlarmRule> before =
                known.map(old -> new Stored<>(rule.id(), old, stored.raw(), stored.place()))
                        .orElse(stored);
        if (!before.value().home().equals(home)) {
            commit.acrossOwners().increment(GENERATION.at(before.value().home()), 1);
        }
        commit.replace(RULES, before, rule);
        if (!keyspace.redis().cluster()) {
            commit.set(RULE_AS_SUBMITTED.of(home, rule.id()), RuleText.json(rule));
        }
        rules.timers(commit, rule, clock.millis());
        Outcome<Long> outcome = commit.run();
        if (AlarmChanges.isOvertaken(outcome) || outcome.failedBy(Reason.REFUSED)) {
            return false;
        }
        outcome.orThrow();
        return true;
    }

    private void takenOver(AlarmRule rule, Optional<AlarmRule> known) {
        String home = rule.home();
        known.map(AlarmRule::home).filter(old -> !old.equals(home)).ifPresent(lists::load);
        boolean moved = known.isPresent() && !known.get().watchesLike(rule);
        if (moved) {
            changes.change(rule.id(), new Happening.Moved());
        } else if (!rule.isEnabled()) {
            changes.change(rule.id(), new Happening.Disabled(null));
        }
        observed.lookAt(rule);
    }

    /** Somebody has deleted the hash: what belonged to it goes too. */
    private void ruleGone(Watch watch) {
        AlarmRule rule = watch.rule();
        String home = rule.home();
        Commit commit = keyspace.commit(home);
        commit.acrossOwners()
                .increment(GENERATION.at(home), 1)
                .delete(RULE_AS_SUBMITTED.of(home, rule.id()));
        lists.alarms().get(rule.id()).ifPresent(alarm -> commit.delete(ALARMS, alarm));
        writes.countActive(commit, home);
        Outcome<Long> outcome = commit.run();
        if (!AlarmChanges.isOvertaken(outcome)) {
            outcome.orThrow();
        }
        // Asking an index mends what it says of things that are gone.
        String source = rule.sourceKey();
        String field = rule.field();
        if (source != null && field != null) {
            lists.rules().query("idx:alarm:watch:{source}:{field:segment}", source, field).page();
        }
        lists.everyRule();
        lists.load(home);
    }

    // ---------------------------------------------------------------- alarms

    /** Somebody may have written this alarm, or its entry among the active ones. */
    public void alarmTouched(String id) {
        if (RESERVED.contains(id)) {
            return;
        }
        Optional<Stored<Alarm>> stored = lists.alarms().get(id);
        Optional<Watch> watch = lists.watch(id);
        Alarm known = watch.map(Watch::alarm).orElse(Alarm.none(id));
        if (stored.isEmpty()) {
            if (known.exists()) {
                forgotten(watch.orElseThrow());
            }
            return;
        }
        Alarm now = stored.get().value();
        boolean same =
                now.isActive() == known.isActive()
                        && text(now, Alarm.TRIGGER_VALUE).equals(text(known, Alarm.TRIGGER_VALUE))
                        && text(now, Alarm.ACKNOWLEDGED).equals(text(known, Alarm.ACKNOWLEDGED))
                        && text(now, Alarm.SHELVED_UNTIL).equals(text(known, Alarm.SHELVED_UNTIL));
        if (same && watch.isPresent()) {
            return;
        }
        String home = watch.map(each -> each.rule().home()).orElse(now.home());
        // Entered if it is active; taken out if it is not.
        Stored<Alarm> before =
                new Stored<>(
                        id,
                        new Alarm(id, Map.of(Alarm.STATUS, Alarm.ACTIVE)),
                        stored.get().raw(),
                        stored.get().place());
        Commit commit = keyspace.commit(home);
        commit.acrossOwners().replace(ALARMS, before, now).increment(GENERATION.at(home), 1);
        writes.countActive(commit, home);
        Outcome<Long> outcome = commit.run();
        if (!AlarmChanges.isOvertaken(outcome)) {
            outcome.orThrow();
            lists.load(home);
        }
    }

    private static String text(Alarm alarm, String field) {
        return alarm.text(field, "");
    }

    /** Somebody has deleted the hash of an alarm. */
    private void forgotten(Watch watch) {
        String home = watch.rule().home();
        Commit commit = keyspace.commit(home).increment(GENERATION.at(home), 1);
        writes.countActive(commit, home);
        commit.run().orThrow();
        lists.alarms().query(AlarmsLayouts.ACTIVE).limit(10_000).page();
        lists.load(home);
    }

    // ---------------------------------------------------------------- all of it

    /** Looks at every rule and every active alarm; what was missed before is found now. */
    public void sweep() {
        Set<String> there = new HashSet<>();
        List<Stored<AlarmRule>> touched = new ArrayList<>();
        for (Stored<AlarmRule> each : lists.everyRule()) {
            there.add(each.id());
            Optional<Watch> known = lists.watch(each.id());
            if (known.isEmpty() || !known.get().rule().equals(each.value())) {
                touched.add(each);
            }
        }
        takeOverAll(touched);
        List<String> gone =
                lists.known().stream()
                        .flatMap(list -> list.all().stream())
                        .map(watch -> watch.rule().id())
                        .filter(id -> !there.contains(id))
                        .toList();
        gone.forEach(this::ruleTouched);
        for (Stored<Alarm> each : Watchlists.all(lists.alarms().query(AlarmsLayouts.ACTIVE))) {
            if (!lists.isActive(each.id())) {
                alarmTouched(each.id());
            }
        }
    }

    /** How many rules the index has. */
    public long countRules() {
        return lists.countRules();
    }

    /** Takes in what other hubs have changed. */
    public void refresh() {
        lists.refresh();
    }
}
