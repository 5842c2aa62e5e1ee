package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULE_INDEX;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** All rules and their alarms in memory, home by home. Thread-safe. */
final class Watchlists {
    private static final int PAGE = 10_000;

    /** More than a hub can know. */
    private static final int MOST_RULES = 1_000_000;

    private final Keyspace keyspace;
    private final Store<AlarmRule> rules;
    private final Store<Alarm> alarms;
    private final Map<String, Watchlist> lists = new ConcurrentHashMap<>();

    /** Of homes of which this hub has changed a rule or an alarm by hand. */
    private final Map<String, ReentrantLock> changing = new ConcurrentHashMap<>();

    /** Where a rule was seen last; it may have gone since. */
    private final Map<String, String> homes = new ConcurrentHashMap<>();

    /** Rules whose alarm keeps others silent, with those others. */
    private final Map<String, Set<String>> silenced = new ConcurrentHashMap<>();

    Watchlists(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.rules = keyspace.store(RULES);
        this.alarms = keyspace.store(ALARMS);
    }

    Store<AlarmRule> rules() {
        return rules;
    }

    Store<Alarm> alarms() {
        return alarms;
    }

    /** Held while this hub changes something of a home. */
    ReentrantLock changing(String home) {
        return changing.computeIfAbsent(home, key -> new ReentrantLock(true));
    }

    /** Whether nothing has to be read or waited for to evaluate a value. */
    boolean isAtHand(String home) {
        Watchlist known = lists.get(home);
        ReentrantLock lock = changing.get(home);
        return known != null && known.isCurrent() && (lock == null || !lock.isLocked());
    }

    /** Values wait until a change of their home is done, or it would never get its turn. */
    void makeWay(String home) {
        ReentrantLock lock = changing.get(home);
        if (lock == null || !lock.isLocked() || lock.isHeldByCurrentThread()) {
            return;
        }
        try {
            if (lock.tryLock(Attempts.LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---------------------------------------------------------------- reading Redis

    /** The list as it is known; read if there is none, or if it is out of date. */
    Watchlist of(String home) {
        Watchlist known = lists.get(home);
        return known != null && known.isCurrent() ? known : load(home);
    }

    /**
     * Reads it. The generation is read first: if anything changes after that, what relies on this
     * is refused.
     */
    Watchlist load(String home) {
        long generation = generation(home);
        List<Stored<AlarmRule>> found = rulesAt(home);
        Map<String, Stored<Alarm>> raised = new HashMap<>();
        List<String> ids = found.stream().map(Stored::id).toList();
        for (Stored<Alarm> each : alarms.getMany(ids)) {
            raised.put(each.id(), each);
        }
        if (keyspace.redis().cluster()) {
            found.forEach(rule -> raised.computeIfAbsent(rule.id(), id -> prepared(rule)));
        }
        List<Watch> watches = new ArrayList<>(found.size());
        for (Stored<AlarmRule> rule : found) {
            watches.add(new Watch(rule, raised.get(rule.id())));
        }
        Watchlist list = new Watchlist(home, generation, watches);
        Watchlist before = lists.put(home, list);
        if (before != null) {
            before.outdate();
            before.all().forEach(each -> homes.remove(each.rule().id(), home));
        }
        watches.forEach(this::know);
        return list;
    }

    /**
     * The list after a commit of this hub that has changed just this rule, and with it the
     * generation by one: the others are as they were known. Where anything else has changed, it is
     * read whole.
     *
     * @param from the generation before
     */
    void renew(String home, long from, String id) {
        Watchlist known = lists.get(home);
        if (known == null || generation(home) != from + 1) {
            load(home);
            return;
        }
        Stored<AlarmRule> rule = rules.get(id).orElse(null);
        if (rule == null || !rule.value().home().equals(home)) {
            load(home);
            return;
        }
        Stored<Alarm> alarm = alarms.get(id).orElse(null);
        if (alarm == null && keyspace.redis().cluster()) {
            alarm = prepared(rule);
        }
        Watch watch = new Watch(rule, alarm);
        if (replaced(known, from, watch)) {
            know(watch);
        } else {
            load(home);
        }
    }

    private boolean replaced(Watchlist known, long from, Watch watch) {
        known.lock.lock();
        try {
            if (!known.isCurrent() || known.generation() != from) {
                return false;
            }
            Map<String, Watch> all = new HashMap<>();
            known.all().forEach(each -> all.put(each.rule().id(), each));
            all.put(watch.rule().id(), watch);
            known.outdate();
            lists.put(known.home, new Watchlist(known.home, from + 1, all.values()));
            return true;
        } finally {
            known.lock.unlock();
        }
    }

    private List<Stored<AlarmRule>> rulesAt(String home) {
        Set<String> ids =
                keyspace.cells()
                        .members(AlarmsLayouts.rulesAt(home), MOST_RULES)
                        .answer()
                        .or(Set.of());
        return rules.getMany(ids).stream()
                .filter(each -> each.value().home().equals(home))
                .toList();
    }

    private void know(Watch watch) {
        AlarmRule rule = watch.rule();
        homes.put(rule.id(), rule.home());
        String parent = rule.suppressedBy();
        if (parent != null) {
            silenced.computeIfAbsent(parent, key -> ConcurrentHashMap.newKeySet()).add(rule.id());
        }
    }

    /**
     * In a cluster an alarm is found by a pointer in another shard, which cannot be written while
     * values wait; so it is there before it is raised.
     */
    private @Nullable Stored<Alarm> prepared(Stored<AlarmRule> rule) {
        Map<String, String> fields = new HashMap<>();
        fields.put(Alarm.STATUS, Alarm.CLEARED);
        fields.put(Alarm.STATE, "NORM");
        String source = rule.value().sourceKey();
        if (source != null) {
            fields.put(AlarmRule.SOURCE_KEY, source);
        }
        alarms.create(new Alarm(rule.id(), fields));
        return alarms.get(rule.id()).orElse(null);
    }

    long generation(String home) {
        return keyspace.cells().number(AlarmsLayouts.generation(home)).answer().or(0L);
    }

    /** All homes that have rules. */
    void loadAll() {
        everyRule().stream().map(each -> each.value().home()).distinct().forEach(this::load);
    }

    /** Every rule that the index knows, read from Redis. */
    List<Stored<AlarmRule>> everyRule() {
        return all(rules.query(RULE_INDEX));
    }

    long countRules() {
        return rules.query(RULE_INDEX).count();
    }

    static <E> List<Stored<E>> all(Query<E> query) {
        List<Stored<E>> found = new ArrayList<>();
        Query<E> next = query.limit(PAGE);
        Page<E> page = next.page();
        found.addAll(page.items());
        Optional<Cursor> more = page.next();
        while (more.isPresent()) {
            page = next.after(more.get()).page();
            found.addAll(page.items());
            more = page.next();
        }
        return found;
    }

    /** Reads again what others have changed since. */
    void refresh() {
        refresh(Set.copyOf(lists.keySet()));
    }

    /** The same of these homes; of those that are new here too. */
    void refresh(Collection<String> homes) {
        Map<String, Cells.Question<Long>> asked = new LinkedHashMap<>();
        Cells cells = keyspace.cells();
        homes.forEach(home -> asked.put(home, cells.number(AlarmsLayouts.generation(home))));
        asked.forEach(
                (home, question) -> {
                    Watchlist known = lists.get(home);
                    long generation = question.answer().or(0L);
                    if (known == null || !known.isCurrent() || known.generation() != generation) {
                        load(home);
                    }
                });
    }

    // ---------------------------------------------------------------- what is known

    Set<String> homes() {
        return Set.copyOf(lists.keySet());
    }

    int size() {
        return homes.size();
    }

    Collection<Watchlist> known() {
        return lists.values();
    }

    Optional<String> homeOf(String ruleId) {
        return Optional.ofNullable(homes.get(ruleId));
    }

    Optional<Watch> watch(String ruleId) {
        String home = homes.get(ruleId);
        Watchlist list = home == null ? null : lists.get(home);
        return list == null ? Optional.empty() : Optional.ofNullable(list.of(ruleId));
    }

    /** Whether the alarm of a rule is raised, as far as this hub knows. */
    boolean isActive(@Nullable String ruleId) {
        return ruleId != null && watch(ruleId).filter(Watch::isActive).isPresent();
    }

    /** Whether the end of its alarm may let others go off. */
    boolean silencesOthers(String ruleId) {
        return silenced.containsKey(ruleId);
    }

    Set<String> silencedBy(String ruleId) {
        return Set.copyOf(silenced.getOrDefault(ruleId, Set.of()));
    }

    Set<String> watched(String source) {
        Watchlist list = lists.get(Sources.home(source));
        // A list is never changed, only replaced; and every write asks, so nothing is copied.
        return list == null
                ? Set.of()
                : Collections.unmodifiableSet(list.fieldsOf(source).keySet());
    }

    Set<String> sources() {
        Set<String> all = new TreeSet<>();
        lists.values().forEach(list -> all.addAll(list.sources()));
        return new HashSet<>(all);
    }
}
