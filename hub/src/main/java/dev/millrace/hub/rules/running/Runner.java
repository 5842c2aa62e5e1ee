package dev.millrace.hub.rules.running;

import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RuleDocument;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Action;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.hub.rules.logic.RuleFault;
import dev.millrace.hub.rules.logic.Sight;
import dev.millrace.hub.rules.logic.SourceRef;
import dev.millrace.hub.rules.logic.Trigger;
import dev.millrace.hub.why.Origin;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Rules that run, and what makes them look. Everything happens in the order of the feed and at its
 * times, so that the same values lead to the same executions, now and when they are rehearsed. Of
 * one thread alone.
 */
final class Runner {
    private static final Logger log = LoggerFactory.getLogger(Runner.class);
    private static final Comparator<LiveRule> ORDER =
            Comparator.comparingInt((LiveRule each) -> -each.rule.priority())
                    .thenComparing(each -> each.rule.id());

    private final Deeds deeds;
    private final Present present;
    private final InstantSource clock;
    private final ZoneId zone;
    private final Supplier<LiveRule.Ends> ends;
    private final Map<String, LiveRule> rules = new LinkedHashMap<>();
    private final Map<SourceRef, List<LiveRule>> bySource = new HashMap<>();
    private final List<LiveRule> onAlarms = new ArrayList<>();
    private final RunLog.Counts counts = new RunLog.Counts();
    private final Map<String, Memory> changed = new LinkedHashMap<>();
    private final Chains chains = new Chains();

    /** No rule looks by itself before this time. */
    private long quietUntil = Long.MAX_VALUE;

    Runner(
            Deeds deeds,
            Present present,
            InstantSource clock,
            ZoneId zone,
            Supplier<LiveRule.Ends> ends) {
        this.deeds = deeds;
        this.present = present;
        this.clock = clock;
        this.zone = zone;
        this.ends = ends;
    }

    // ------------------------------------------------------------------ which rules run

    /** Reads all rules anew; those that are the same go on with what they remember. */
    void loadAll() {
        Set<String> there = new HashSet<>();
        List<RuleBook.Entry> all = deeds.all();
        Set<String> stored = all.stream().map(each -> each.rule().id()).collect(Collectors.toSet());
        countOnly(stored);
        for (RuleBook.Entry each : all) {
            if (each.enabled() && take(each.rule(), 0)) {
                there.add(each.rule().id());
            }
        }
        rules.keySet().retainAll(there);
        index();
    }

    /** Forgets everything: another hub may have run rules meanwhile. */
    void forget() {
        rules.clear();
        changed.clear();
        present.forgetAll();
        index();
    }

    /** A rule was changed, at this time. */
    void load(String id, long savedAt) {
        Optional<RuleBook.Entry> entry = deeds.one(id);
        if (entry.isEmpty()) {
            counts.keepOnly(each -> !each.equals(id));
        }
        boolean runs =
                entry.isPresent() && entry.get().enabled() && take(entry.get().rule(), savedAt);
        if (!runs) {
            rules.remove(id);
        }
        index();
    }

    /** Somebody else has run it. */
    void remember(String id) {
        LiveRule rule = rules.get(id);
        if (rule != null) {
            rule.memory = deeds.memory(id);
            changed.remove(id);
        }
    }

    private boolean take(RuleDocument document, long savedAt) {
        LiveRule known = rules.get(document.id());
        if (known != null && known.document.equals(document)) {
            return true;
        }
        try {
            Rule rule = Rule.read(document.id(), document.document());
            long now = clock.millis();
            long since = savedAt == 0 ? Math.min(document.updatedAt(), now) : savedAt;
            LiveRule live = new LiveRule(rule, document, deeds.memory(document.id()), since);
            live.nextAt = rule.trigger().next(now, zone).orElse(Long.MAX_VALUE);
            // What holds already is looked at once, unless only news count.
            boolean looks = live.nextAt != Long.MAX_VALUE || rule.lasts();
            live.dueAt = rule.trigger() instanceof Trigger.Data && looks ? now : Long.MAX_VALUE;
            rules.put(document.id(), live);
            quietUntil = Math.min(quietUntil, live.wakesAt());
            return true;
        } catch (RuleFault e) {
            log.warn(
                    "A stored rule cannot be run. rule={} member={} reason={}",
                    document.id(),
                    e.member(),
                    e.sentence());
            return false;
        }
    }

    private void index() {
        bySource.clear();
        onAlarms.clear();
        Set<SourceRef> wanted = new HashSet<>();
        for (LiveRule each : rules.values()) {
            wanted.addAll(each.rule.sources());
            for (SourceRef source : each.rule.watched()) {
                wanted.add(source);
                bySource.computeIfAbsent(source, none -> new ArrayList<>()).add(each);
            }
            if (each.rule.trigger() instanceof Trigger.Alarm) {
                onAlarms.add(each);
            }
        }
        present.keepOnly(wanted);
        for (SourceRef each : wanted) {
            present.value(each);
        }
        if (rules.values().stream().anyMatch(each -> LiveRule.Ends.UNKNOWN.equals(each.ends))) {
            LiveRule.Ends now = ends.get();
            for (LiveRule each : rules.values()) {
                if (LiveRule.Ends.UNKNOWN.equals(each.ends)) {
                    each.ends = now;
                }
            }
        }
    }

    boolean isIdle() {
        return rules.isEmpty();
    }

    int size() {
        return rules.size();
    }

    // ------------------------------------------------------------------ what makes them look

    /**
     * Values that were written together, at a time.
     *
     * @param fact the place of what told of them, by which the same is known again
     * @param origin what had led to them
     * @param at when they were measured
     * @param written when they were stored: what was stored before a rule was is not for that rule
     */
    record Heard(List<Value> values, String fact, Origin origin, long at, long written) {
        record Value(SourceRef source, String text) {}
    }

    /**
     * Values were written. What rules look at by themselves up to then comes first.
     *
     * @param fresh which rules take it for new whatever they know
     */
    void heard(Heard news, Predicate<LiveRule> fresh) {
        until(news.at);
        Map<LiveRule, Map<String, String>> by = new HashMap<>();
        List<LiveRule> woken = new ArrayList<>();
        int depth = 0;
        for (Heard.Value value : news.values) {
            SourceRef source = value.source;
            if (!present.knows(source)) {
                continue;
            }
            boolean another = present.heard(source, value.text);
            for (LiveRule each : bySource.getOrDefault(source, List.of())) {
                boolean wakes =
                        another
                                || fresh.test(each)
                                || (each.rule.trigger() instanceof Trigger.Data data
                                        && data.same());
                if (wakes && news.written >= each.savedAt && !woken.contains(each)) {
                    woken.add(each);
                    by.put(each, wokenBy(source, value.text));
                }
            }
            depth = Math.max(depth, chains.depth(written(source, value.text), news.at));
        }
        woken.sort(ORDER);
        for (LiveRule each : woken) {
            String word = each.rule.trigger().word();
            run(
                    each,
                    news.at,
                    new Cause(
                            news.fact, word, depth, news.origin, by.getOrDefault(each, Map.of())));
        }
    }

    private static Map<String, String> wokenBy(SourceRef source, String value) {
        return Map.of("source", source.key(), "field", source.field(), "value", value);
    }

    private static String written(SourceRef source, String value) {
        return source.text() + "=" + value;
    }

    /**
     * Something happened to an alarm.
     *
     * @param cause of this event alone
     * @param origin which alarm it was, and what had led to that
     */
    void alarm(String ruleId, String event, String cause, Origin origin, long at) {
        until(at);
        List<LiveRule> woken = new ArrayList<>();
        for (LiveRule each : onAlarms) {
            if (at >= each.savedAt
                    && each.rule.trigger() instanceof Trigger.Alarm alarm
                    && alarm.events().contains(event)
                    && (alarm.rules().isEmpty() || alarm.rules().contains(ruleId))) {
                woken.add(each);
            }
        }
        woken.sort(ORDER);
        int depth = chains.depth("alarm:" + ruleId, at);
        for (LiveRule each : woken) {
            Map<String, String> by = Map.of("alarm", origin.from(), "event", event);
            run(each, at, new Cause(cause, "alarm", depth, origin, by));
        }
    }

    /** When the next one looks by itself, in ms since 1970. */
    long nextMoment() {
        long next = Long.MAX_VALUE;
        for (LiveRule each : rules.values()) {
            next = Math.min(next, each.wakesAt());
        }
        quietUntil = next;
        return next;
    }

    /** Those look whose moment comes up to now, each at its moment, the earlier ones first. */
    void until(long now) {
        while (quietUntil <= now) {
            long next = nextMoment();
            if (next <= now) {
                moment(next);
            }
        }
    }

    private void moment(long now) {
        List<LiveRule> due = new ArrayList<>();
        for (LiveRule each : rules.values()) {
            if (each.wakesAt() <= now) {
                due.add(each);
            }
        }
        due.sort(ORDER);
        for (LiveRule each : due) {
            boolean byTime = each.nextAt <= now;
            long at = Math.min(each.wakesAt(), now);
            if (byTime) {
                at = Math.max(at, each.nextAt);
                each.nextAt = each.rule.trigger().next(now, zone).orElse(Long.MAX_VALUE);
            }
            each.dueAt = Long.MAX_VALUE;
            boolean again = !byTime || each.rule.trigger() instanceof Trigger.Data;
            String word = again ? Cause.AGAIN : each.rule.trigger().word();
            Origin origin = new Origin("t-" + at + "-" + each.rule.id(), "");
            run(each, at, new Cause("t-" + at, word, 0, origin, Map.of()));
        }
    }

    // ------------------------------------------------------------------ a run

    private void run(LiveRule live, long now, Cause cause) {
        if (live.rests(now)) {
            if (!cause.isLookingAgain()) {
                counts.skipped();
                deeds.rested(live.rule);
            }
            return;
        }
        Sight sight = new Sight(present, now, zone, live.memory, Map.of());
        Rule.Verdict verdict = live.rule.look(sight);
        live.dueAt = sight.due();
        quietUntil = Math.min(quietUntil, live.dueAt);
        deeds.looked(live.rule, sight, verdict.met());
        boolean before = live.memory.held();
        live.memory.held(verdict.met());
        boolean acts = verdict.met() && !(live.rule.edge() && before);
        if (!acts && verdict.error().isEmpty()) {
            counts.looked(live.rule.id());
            if (live.memory.takeChanged()) {
                changed.put(live.rule.id(), live.memory);
            }
            return;
        }
        Execution execution = new Execution(live.rule, verdict, sight, cause);
        if (cause.depth() >= Cause.DEEPEST) {
            execution.fails("RULE_LOOP");
        }
        if (acts) {
            live.memory.acted(now);
        }
        if (execution.success() && !live.rule.shadow()) {
            note(execution, cause, now);
        }
        changed.remove(live.rule.id());
        boolean kept = live.memory.takeChanged();
        log.debug("A rule acts. rule={} remembers={}", live.rule.id(), kept);
        deeds.act(execution, live.memory);
    }

    /** What it writes wakes others, one deeper. */
    private void note(Execution execution, Cause cause, long now) {
        for (Action.Planned each : execution.planned()) {
            switch (each.action().kind()) {
                case WRITE ->
                        chains.wrote(
                                each.action().target() + "=" + each.value(),
                                cause.depth() + 1,
                                now);
                case ALARM ->
                        chains.wrote("alarm:rule." + execution.rule().id(), cause.depth() + 1, now);
                case COMMAND, MODEL, KEEP, PUBLISH, NOTIFY, EVENT, LOG -> {}
            }
        }
    }

    /** Writes what is remembered. */
    void remember() {
        deeds.remember(Map.copyOf(changed));
        changed.clear();
    }

    /** Whether something was counted since it was written last. */
    boolean hasCounted() {
        return !counts.isEmpty();
    }

    /** Of rules that are not among these there are no counters; from any thread. */
    void countOnly(Set<String> stored) {
        counts.keepOnly(stored::contains);
    }

    /** Writes what was counted; from any thread. */
    void count() {
        deeds.count(counts);
    }
}
