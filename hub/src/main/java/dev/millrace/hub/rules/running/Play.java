package dev.millrace.hub.rules.running;

import dev.millrace.hub.alarms.Alarming;
import dev.millrace.hub.history.Past;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.rehearsal.Course;
import dev.millrace.hub.rehearsal.Firing;
import dev.millrace.hub.rehearsal.Firings;
import dev.millrace.hub.rehearsal.Span;
import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RuleDocument;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Action;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.hub.rules.logic.Sight;
import dev.millrace.hub.rules.logic.SourceRef;
import dev.millrace.hub.rules.logic.Trigger;
import dev.millrace.hub.why.Origin;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One rehearsal of a rule: the past from an hour before its span to its end. Of one thread alone.
 */
final class Play implements Deeds {
    /** More looks than this nobody waits for: ten a second for three weeks. */
    private static final long MOST_LOOKS = 20_000_000;

    private static final int MOST_VALUES = 20;

    private final Given given;
    private final Span span;
    private final long begin;
    private final Course course;
    private final Runner runner;
    private final Present present;
    private final Map<SeriesName, SourceRef> series = new LinkedHashMap<>();
    private final Set<SeriesName> known = new HashSet<>();
    private final Firings firings = new Firings();
    private final List<String> notes = new ArrayList<>();
    private final List<Runner.Heard.Value> together = new ArrayList<>();
    private List<Alarming.Happened> alarms = List.of();
    private int nextAlarm;
    private @Nullable SeriesName last;
    private long lastAt;
    private Memory memory = Memory.empty();
    private long now;
    private long savedAt;
    private boolean savedAnew;
    private Optional<Long> actedLast = Optional.empty();
    private boolean begun;
    private long samples;
    private long looks;
    private long looksBefore;
    private long rested;

    /** What is rehearsed, and on what. */
    record Given(Past past, Alarming alarming, ZoneId zone, Rule rule, RuleDocument document) {}

    /**
     * One that is ready to begin.
     *
     * @param begin before the span, so that the rule remembers what it would
     */
    Play(Given given, Span span, long begin, Course course) {
        this.given = given;
        this.span = span;
        this.begin = Math.max(0, begin);
        this.course = course;
        this.now = this.begin;
        given.rule.sources().stream()
                .sorted(Comparator.comparing(SourceRef::text))
                .forEach(source -> name(source).ifPresent(name -> series.put(name, source)));
        given.rule.watched().stream()
                .sorted(Comparator.comparing(SourceRef::text))
                .forEach(source -> name(source).ifPresent(name -> series.put(name, source)));
        present = new Present(this::before);
        runner =
                new Runner(
                        this,
                        present,
                        () -> Instant.ofEpochMilli(now),
                        given.zone,
                        () -> new LiveRule.Ends(List.of(), List.of()));
    }

    /** How history calls a source; empty if it has none of its kind. */
    private static Optional<SeriesName> name(SourceRef source) {
        String[] parts = source.key().split(":", -1);
        boolean recorded = parts.length == 3 && !parts[2].equals("action");
        if (!recorded) {
            return Optional.empty();
        }
        boolean plain = parts[2].equals("T") || parts[2].equals("measurement");
        String field = plain ? source.field() : parts[2] + "." + source.field();
        return Optional.of(new SeriesName(parts[0], parts[1], field));
    }

    private Optional<String> before(SourceRef source) {
        Optional<SeriesName> name = name(source);
        Optional<String> value =
                name.flatMap(each -> given.past.before(each, Instant.ofEpochMilli(now)))
                        .map(Sample::text);
        if (value.isPresent()) {
            known.add(name.orElseThrow());
        }
        return value;
    }

    /** It was saved at this time, and begins with nothing if it was made then. */
    void saved(long at, boolean anew) {
        savedAt = at;
        savedAnew = anew;
    }

    /** When the live rule acted last before the span. */
    void actedLast(long at) {
        actedLast = Optional.of(at);
    }

    List<Firing> firings() {
        return firings.kept();
    }

    // ------------------------------------------------------------------ the past

    ObjectNode run() {
        if (given.rule.trigger() instanceof Trigger.Alarm) {
            alarms = given.alarming.between(begin, span.end());
        }
        runner.loadAll();
        given.past.replay(
                List.copyOf(series.keySet()),
                Instant.ofEpochMilli(begin),
                Instant.ofEpochMilli(span.end()),
                this::take);
        tell();
        advance(span.end() - 1);
        return answer();
    }

    private boolean take(SeriesName name, Sample sample) {
        SeriesName before = last;
        boolean sameWrite =
                before != null && lastAt == sample.at() && before.thing().equals(name.thing());
        SourceRef source = series.get(name);
        if (source == null) {
            return true;
        }
        sameWrite &= together.stream().allMatch(each -> each.source().key().equals(source.key()));
        if (!sameWrite) {
            tell();
        }
        last = name;
        lastAt = sample.at();
        known.add(name);
        together.add(new Runner.Heard.Value(source, sample.text()));
        if (sample.at() >= span.start()) {
            samples++;
        }
        return goesOn();
    }

    private boolean goesOn() {
        return looks < MOST_LOOKS && course.goesOn();
    }

    /** What was written together is heard together. */
    private void tell() {
        if (together.isEmpty()) {
            return;
        }
        advance(lastAt);
        String fact = "h-" + lastAt + "-" + together.getFirst().source().key();
        if (goesOn()) {
            now = lastAt;
            runner.heard(
                    new Runner.Heard(List.copyOf(together), fact, Origin.UNKNOWN, lastAt, lastAt),
                    never -> false);
        }
        together.clear();
    }

    /** What happens by itself up to a time. */
    private void advance(long to) {
        while (nextAlarm < alarms.size() && alarms.get(nextAlarm).at() < to && goesOn()) {
            Alarming.Happened each = alarms.get(nextAlarm++);
            moments(each.at());
            now = each.at();
            runner.alarm(
                    each.ruleId(),
                    each.type(),
                    "h-" + nextAlarm + "-" + each.at() + "-" + each.ruleId(),
                    Origin.UNKNOWN,
                    each.at());
        }
        moments(to);
    }

    /** What rules look at by themselves, up to a time. */
    private void moments(long to) {
        if (savedAt < span.start()) {
            isSaved(to);
            starts(to);
        } else {
            starts(to);
            isSaved(to);
        }
        looksUntil(to);
    }

    /** The span begins: the rule remembers when it acted last, as it did. */
    private void starts(long to) {
        if (!begun && to >= span.start()) {
            looksUntil(span.start() - 1);
            begun = true;
            looksBefore = looks;
            actedLast.ifPresent(memory::acted);
        }
    }

    /** The live rule was saved, so it began anew. */
    private void isSaved(long to) {
        if (savedAt > begin && savedAt <= to && savedAt < span.end()) {
            looksUntil(savedAt - 1);
            now = savedAt;
            savedAt = 0;
            if (savedAnew) {
                memory = Memory.empty();
            }
            runner.forget();
            runner.loadAll();
        }
    }

    private void looksUntil(long to) {
        long next = runner.nextMoment();
        while (next <= to && goesOn()) {
            now = next;
            runner.until(next);
            next = runner.nextMoment();
            course.reaches(now);
        }
        course.reaches(to);
    }

    // ------------------------------------------------------------------ what would be done

    @Override
    public List<RuleBook.Entry> all() {
        return List.of(new RuleBook.Entry(given.document, true));
    }

    @Override
    public Optional<RuleBook.Entry> one(String ruleId) {
        return Optional.empty();
    }

    @Override
    public Memory memory(String ruleId) {
        return memory;
    }

    @Override
    public void looked(Rule rule, Sight sight, boolean met) {
        looks++;
        if (!met) {
            firings.ended(sight.now());
        }
    }

    @Override
    public void rested(Rule rule) {
        if (begun) {
            rested++;
        }
    }

    @Override
    public void act(Execution execution, Memory remembered) {
        Sight sight = execution.sight();
        if (!span.contains(sight.now())) {
            return;
        }
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.put("at", Span.iso(sight.now()));
        view.put("timestamp", sight.now());
        view.put("trigger", execution.trigger());
        view.put("triggered", execution.triggered());
        ObjectNode values = view.putObject("values");
        Map<String, String> seen = new TreeMap<>();
        for (SourceRef each : given.rule.sources()) {
            String value = present.value(each);
            if (value != null) {
                seen.put(each.text(), value);
            }
        }
        seen.entrySet().stream()
                .limit(MOST_VALUES)
                .forEach(each -> values.put(each.getKey(), each.getValue()));
        ArrayNode actions = view.putArray("actions");
        if (execution.success()) {
            for (Action.Planned each : execution.planned()) {
                Action action = each.action();
                actions.addObject()
                        .put("type", action.config().path("type").asString(""))
                        .put("target", action.target())
                        .put("value", each.value());
                if (action.kind().reachesOut()) {
                    firings.orders(action.target(), each.value());
                }
            }
        } else {
            view.put("error", execution.error());
        }
        if (!sight.path().isEmpty()) {
            ArrayNode path = view.putArray("execution_path");
            sight.path().forEach(path::add);
        }
        firings.add(new Firing(sight.now(), execution.trigger(), view));
    }

    @Override
    public void remember(Map<String, Memory> changed) {}

    @Override
    public void count(RunLog.Counts counts) {}

    // ------------------------------------------------------------------ the answer

    private ObjectNode answer() {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("rule_id", given.rule.id());
        answer.put("start", Span.iso(span.start()));
        answer.put("end", Span.iso(span.end()));
        answer.put("complete", goesOn());
        answer.put("reached", Span.iso(goesOn() ? span.end() : course.reached()));
        answer.put("samples", samples);
        answer.put("looks", begun ? looks - looksBefore : 0);
        answer.put("skipped_cooldown", rested);
        firings.addTo(answer);
        note();
        ArrayNode list = answer.putArray("notes");
        notes.forEach(list::add);
        return answer;
    }

    private void note() {
        Rule rule = given.rule;
        for (SourceRef each : rule.sources()) {
            if (name(each).filter(known::contains).isEmpty()) {
                notes.add("History has nothing of %s in this time.".formatted(each.text()));
            }
        }
        switch (rule.trigger()) {
            case Trigger.Manual manual ->
                    notes.add("The rule looks when somebody asks for it, and nobody did.");
            case Trigger.Alarm alarm ->
                    notes.add(
                            "Of alarms the last 1,000 events are known, each with its second: %d of"
                                            .formatted(alarms.size())
                                    + " this time.");
            case Trigger.Data data when data.same() ->
                    notes.add(
                            "History keeps values that change: live, the rule may look more often,"
                                    + " also at the same value.");
            case Trigger.Data data -> {}
            case Trigger.Interval interval -> {}
            case Trigger.Calendar calendar -> {}
        }
        boolean writes =
                rule.actions().stream()
                        .anyMatch(
                                each ->
                                        rule.sources().stream()
                                                .anyMatch(
                                                        source ->
                                                                source.text()
                                                                        .equals(each.target())));
        if (writes) {
            notes.add("What the rule would have written is not among the values of the past.");
        }
        if (!goesOn()) {
            notes.add("It was ended before its end.");
        }
        notes.sort(Comparator.naturalOrder());
    }
}
