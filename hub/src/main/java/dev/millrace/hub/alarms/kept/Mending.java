package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RESERVED;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes over what others wrote by hand, in whichever order: a rule gets its index entries and its
 * JSON, and counts from now on; an alarm gets its place in the index. Nothing is written where
 * nothing is missing, so our own writes, which are noticed too, end here. Thread-safe.
 */
public final class Mending {
    private static final Duration A_WHILE = Duration.ofMillis(150);
    private static final List<String> COMPARED =
            List.of(
                    Alarm.STATUS,
                    Alarm.TRIGGER_VALUE,
                    Alarm.ACKNOWLEDGED,
                    Alarm.SHELVED_UNTIL,
                    AlarmRule.SOURCE_KEY);

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
        if (isKnown(id, stored)) {
            return;
        }
        Optional<Watch> known = lists.watch(id);
        if (stored.isEmpty()) {
            known.ifPresent(this::ruleGone);
            return;
        }
        Optional<AlarmRule> before = known.map(Watch::rule);
        if (takeOver(stored.get(), before)) {
            lists.load(stored.get().value().home());
            takenOver(stored.get().value(), before);
        }
    }

    /**
     * Whether that rule is the one that is known; if it is another one, and hubs have changed
     * something of its home, it is they who changed it, and nobody else.
     */
    private boolean isKnown(String id, Optional<Stored<AlarmRule>> stored) {
        Optional<AlarmRule> now = stored.map(Stored::value);
        Optional<AlarmRule> known = lists.watch(id).map(Watch::rule);
        if (known.equals(now)) {
            return true;
        }
        Set<String> homes = new HashSet<>();
        known.map(AlarmRule::home).ifPresent(homes::add);
        now.map(AlarmRule::home).ifPresent(homes::add);
        for (String home : homes) {
            if (lists.generation(home) != lists.of(home).generation()) {
                lists.load(home);
            }
        }
        return lists.watch(id).map(Watch::rule).equals(now);
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
        Commit commit = keyspace.commit(home).increment(AlarmsLayouts.generation(home), 1);
        // As it was known, it has left traces that the hash does not tell of any more.
        Stored<AlarmRule> before =
                known.map(old -> new Stored<>(rule.id(), old, stored.raw(), stored.place()))
                        .orElse(stored);
        if (!before.value().home().equals(home)) {
            String old = before.value().home();
            commit.acrossOwners()
                    .increment(AlarmsLayouts.generation(old), 1)
                    .removeMember(AlarmsLayouts.rulesAt(old), rule.id());
        }
        // What somebody types meanwhile stays as it is, and is noticed next.
        commit.update(RULES, before, rule).addMember(AlarmsLayouts.rulesAt(home), rule.id());
        if (!keyspace.redis().cluster()) {
            commit.set(AlarmsLayouts.submitted(home, rule.id()), RuleText.json(rule));
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
        changes.evaluate(rule.id());
        observed.lookAt(rule);
    }

    /** Somebody has deleted the hash: what belonged to it goes too. */
    private void ruleGone(Watch watch) {
        AlarmRule rule = watch.rule();
        String home = rule.home();
        Commit commit = keyspace.commit(home);
        commit.acrossOwners()
                .increment(AlarmsLayouts.generation(home), 1)
                .delete(AlarmsLayouts.submitted(home, rule.id()))
                .removeMember(AlarmsLayouts.rulesAt(home), rule.id());
        lists.alarms().get(rule.id()).ifPresent(alarm -> commit.delete(ALARMS, alarm));
        writes.countActive(commit, home);
        Outcome<Long> outcome = commit.run();
        if (!AlarmChanges.isOvertaken(outcome)) {
            outcome.orThrow();
        }
        // Asking an index mends what it says of things that were gone a while ago, too.
        askAbout(rule);
        LockSupport.parkNanos(A_WHILE.toNanos());
        askAbout(rule);
        lists.load(home);
    }

    private void askAbout(AlarmRule rule) {
        String source = rule.sourceKey();
        String field = rule.field();
        if (source != null && field != null) {
            Watchlists.all(lists.rules().query(AlarmsLayouts.WATCHING, source, field));
        }
        lists.everyRule();
    }

    // ---------------------------------------------------------------- alarms

    /** Somebody may have written these alarms. */
    void alarmsTouched(Set<String> ids) {
        Set<String> ours = new HashSet<>(ids);
        ours.removeAll(RESERVED);
        Map<String, Stored<Alarm>> found = new HashMap<>();
        lists.alarms().getMany(ours).forEach(each -> found.put(each.id(), each));
        for (String id : ours) {
            Stored<Alarm> stored = found.get(id);
            Optional<Watch> watch = lists.watch(id);
            if (isSame(stored, watch) || isUnderWay(watch)) {
                continue; // it was us
            }
            if (stored != null) {
                enter(stored, watch);
            } else {
                watch.ifPresent(this::forgotten);
            }
        }
    }

    /** What is known of an alarm is what stands there, as far as others can have changed it. */
    private static boolean isSame(@Nullable Stored<Alarm> stored, Optional<Watch> watch) {
        Alarm known = watch.map(Watch::alarm).orElse(null);
        if (known == null) {
            return stored == null;
        }
        Alarm now = stored == null ? Alarm.none(known.ruleId()) : stored.value();
        return COMPARED.stream().allMatch(each -> now.text(each, "").equals(known.text(each, "")));
    }

    /**
     * A commit of ours, or one of another hub, is between what is known and what stands there. If
     * somebody else has written too, the next sweep finds it.
     */
    private boolean isUnderWay(Optional<Watch> watch) {
        Optional<Watchlist> list = watch.map(each -> lists.of(each.rule().home()));
        return list.isPresent() && lists.generation(list.get().home) != list.get().generation();
    }

    private void enter(Stored<Alarm> stored, Optional<Watch> watch) {
        Alarm now = stored.value();
        String home = watch.map(each -> each.rule().home()).orElse(now.home());
        // Entered if it is active; taken out if it is not.
        Stored<Alarm> before =
                new Stored<>(
                        stored.id(),
                        new Alarm(stored.id(), Map.of(Alarm.STATUS, Alarm.ACTIVE)),
                        stored.raw(),
                        stored.place());
        Commit commit = keyspace.commit(home);
        commit.acrossOwners()
                .update(ALARMS, before, now)
                .increment(AlarmsLayouts.generation(home), 1);
        writes.countActive(commit, home);
        Outcome<Long> outcome = commit.run();
        if (!AlarmChanges.isOvertaken(outcome)) {
            outcome.orThrow();
            lists.load(home);
        }
    }

    /** Somebody has deleted the hash of an alarm. */
    private void forgotten(Watch watch) {
        String home = watch.rule().home();
        Commit commit = keyspace.commit(home).increment(AlarmsLayouts.generation(home), 1);
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
            if (!isKnown(each.id(), Optional.of(each))) {
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
        Set<String> active = new HashSet<>();
        for (Stored<Alarm> each : Watchlists.all(lists.alarms().query(AlarmsLayouts.ACTIVE))) {
            active.add(each.id());
            Optional<Watch> known = lists.watch(each.id());
            if (known.isPresent() && !known.get().isActive()) {
                alarmsTouched(Set.of(each.id()));
            }
        }
        for (Watchlist list : List.copyOf(lists.known())) {
            for (Watch each : list.all()) {
                if (each.isActive() && !active.contains(each.rule().id())) {
                    enterAgain(each.rule().id());
                }
            }
        }
    }

    /** What stands in the status of the system is what there is, whoever has written there. */
    void sum() {
        if (!keyspace.redis().cluster()) {
            Commit commit = keyspace.commitAtSite();
            writes.countActive(commit, Declaration.SITE);
            commit.run().orThrow();
        }
    }

    /** An active alarm that its index does not know. */
    private void enterAgain(String id) {
        lists.alarms()
                .get(id)
                .filter(each -> each.value().isActive())
                .ifPresent(each -> enter(each, lists.watch(id)));
    }

    // ---------------------------------------------------------------- as it is noticed

    /** What was written since, by us or by others. */
    public void noticed(ForeignWrites.Noticed noticed) {
        if (noticed.everythingOf(RULES.pattern()) || noticed.everythingOf(ALARMS.pattern())) {
            sweep();
        }
        for (String key : noticed.keysOf(RULES.pattern())) {
            ruleTouched(key.substring(RULES.pattern().head().length()));
        }
        Set<String> alarms = new HashSet<>();
        for (String key : noticed.keysOf(ALARMS.pattern())) {
            alarms.add(key.substring(ALARMS.pattern().head().length()));
        }
        if (!alarms.isEmpty()) {
            alarmsTouched(alarms);
        }
        Set<String> watches = noticed.keysOf(AlarmsLayouts.WATCHES);
        if (!watches.isEmpty()) {
            watchesTouched(watches);
        }
    }

    /** Somebody may have taken a rule out of what watches its field. */
    private void watchesTouched(Set<String> keys) {
        for (Watchlist list : List.copyOf(lists.known())) {
            for (Watch each : list.all()) {
                AlarmRule rule = each.rule();
                String source = String.valueOf(rule.sourceKey());
                String field = String.valueOf(rule.field());
                if (rule.watches() && keys.contains(AlarmsLayouts.WATCHES.key(source, field))) {
                    boolean there =
                            Watchlists.all(
                                            lists.rules()
                                                    .query(AlarmsLayouts.WATCHING, source, field))
                                    .stream()
                                    .anyMatch(one -> one.id().equals(rule.id()));
                    if (!there) {
                        lists.rules()
                                .get(rule.id())
                                .filter(one -> takeOver(one, Optional.of(rule)))
                                .ifPresent(one -> lists.load(rule.home()));
                    }
                }
            }
        }
    }
}
