package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULE_INDEX;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** All rules and their alarms in memory, home by home. Thread-safe. */
final class Watchlists {
    private static final int PAGE = 10_000;

    /** More than a hub can know. */
    private static final int MOST_RULES = 1_000_000;

    private final Keyspace keyspace;
    private final Store<AlarmRule> rules;
    private final Store<Alarm> alarms;
    private final Map<String, Watchlist> lists = new ConcurrentHashMap<>();

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
        for (Watchlist each : List.copyOf(lists.values())) {
            if (!each.isCurrent() || generation(each.home) != each.generation()) {
                load(each.home);
            }
        }
    }

    // ---------------------------------------------------------------- what is known

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
        return list == null ? Set.of() : Set.copyOf(list.fieldsOf(source).keySet());
    }

    Set<String> sources() {
        Set<String> all = new TreeSet<>();
        lists.values().forEach(list -> all.addAll(list.sources()));
        return new HashSet<>(all);
    }
}
