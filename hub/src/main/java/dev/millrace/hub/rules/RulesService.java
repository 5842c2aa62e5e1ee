package dev.millrace.hub.rules;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.rehearsal.Rehearsal;
import dev.millrace.hub.rehearsal.Span;
import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RuleDocument;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.hub.rules.logic.RuleFault;
import dev.millrace.hub.rules.running.Rehearser;
import dev.millrace.hub.rules.running.Running;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** What may be done with rules. Thread-safe. */
final class RulesService {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final int MOST_RULES = 20_000;
    private final RuleBook book;
    private final RunLog runs;
    private final Running running;
    private final Rehearser rehearser;
    private final InstantSource clock;

    RulesService(
            RuleBook book, RunLog runs, Running running, Rehearser rehearser, InstantSource clock) {
        this.book = book;
        this.runs = runs;
        this.running = running;
        this.rehearser = rehearser;
        this.clock = clock;
    }

    /** What a service of this room gives: what was asked for, or why not. */
    sealed interface Done<T> {
        record With<T>(T value) implements Done<T> {}

        record Not<T>(Refused why) implements Done<T> {}
    }

    private static <T> Done<T> not(EmsCode code, String sentence) {
        return new Done.Not<>(Refused.of(code, sentence));
    }

    private static <T> Done<T> absent(String id) {
        return not(EmsCode.RULE_NOT_FOUND, "There is no rule '%s'.".formatted(id));
    }

    private static Refused refused(RuleFault fault) {
        EmsCode code =
                switch (fault.code()) {
                    case VALIDATION_ERROR -> EmsCode.VALIDATION_ERROR;
                    case INVALID_CONDITION -> EmsCode.INVALID_CONDITION;
                    case INVALID_ACTION -> EmsCode.INVALID_ACTION;
                    case RULE_CYCLE -> EmsCode.RULE_CYCLE;
                };
        return Refused.of(code, fault.member() + ": " + fault.sentence())
                .with("member", fault.member());
    }

    // ------------------------------------------------------------------ rules

    List<RuleBook.Entry> all() {
        return book.all();
    }

    Optional<RuleBook.Entry> get(String id) {
        return book.get(id);
    }

    /** A rule as clients read it. */
    static ObjectNode view(RuleBook.Entry entry) {
        ObjectNode view = entry.rule().document().deepCopy();
        view.put("id", entry.rule().id());
        view.put("enabled", entry.enabled());
        view.put("status", word(entry.enabled()));
        return view;
    }

    /** Some of them, each with how it ran last. */
    List<ObjectNode> listed(List<RuleBook.Entry> entries) {
        Map<String, RunLog.LastRun> runsOfAll =
                runs.lastRuns(entries.stream().map(each -> each.rule().id()).toList());
        return entries.stream()
                .map(
                        each -> {
                            ObjectNode view = view(each);
                            RunLog.LastRun last = runsOfAll.get(each.rule().id());
                            if (last != null) {
                                view.putObject("last_run")
                                        .put("at", second(last.at()))
                                        .put("result", last.result());
                            }
                            return view;
                        })
                .toList();
    }

    static String word(boolean enabled) {
        return enabled ? "enabled" : "disabled";
    }

    /** What is wrong with it. */
    private static Optional<Refused> problem(String id, ObjectNode document) {
        try {
            Rule.read(id, document);
            return Optional.empty();
        } catch (RuleFault e) {
            return Optional.of(refused(e));
        }
    }

    Done<RuleBook.Entry> create(ObjectNode given) {
        String id = given.path("id").asString("");
        if (id.isEmpty()) {
            id = "rule_" + Long.toString(clock.millis(), Character.MAX_RADIX) + random();
        }
        Optional<Refused> bad = badId(id);
        if (bad.isPresent()) {
            return new Done.Not<>(bad.get());
        }
        Optional<Refused> problem = problem(id, given);
        if (problem.isPresent()) {
            return new Done.Not<>(problem.get());
        }
        if (book.all().size() >= MOST_RULES) {
            return not(
                    EmsCode.VALIDATION_ERROR,
                    "There are %d rules, as many as may be.".formatted(MOST_RULES));
        }
        ObjectNode document = given.deepCopy();
        String now = ISO.format(clock.instant());
        document.put("id", id);
        document.put("enabled", given.path("enabled").asBoolean(true));
        document.put("created_at", now);
        document.put("updated_at", now);
        running.expectRule();
        return switch (book.create(id, document)) {
            case EXISTS ->
                    not(EmsCode.ALREADY_EXISTS, "There is a rule '%s' already.".formatted(id));
            case DONE, ABSENT -> entry(id);
        };
    }

    private static String random() {
        return Long.toString(
                ThreadLocalRandom.current().nextLong(46_656, 1_679_616), Character.MAX_RADIX);
    }

    private static Optional<Refused> badId(String id) {
        if (Rule.RESERVED.contains(id)) {
            return Optional.of(
                    Refused.of(
                            EmsCode.RESERVED_ID,
                            "A rule cannot be called '%s'; that has another meaning."
                                    .formatted(id)));
        }
        return Rule.isId(id)
                ? Optional.empty()
                : Optional.of(
                        Refused.of(
                                EmsCode.VALIDATION_ERROR,
                                "An id has up to 128 letters, digits, dots, dashes and"
                                        + " underscores."));
    }

    private Done<RuleBook.Entry> entry(String id) {
        return book.get(id).<Done<RuleBook.Entry>>map(Done.With::new).orElseGet(() -> absent(id));
    }

    /** Replaces what it says; whether it is enabled stays, unless it says otherwise by itself. */
    Done<RuleBook.Entry> replace(String id, ObjectNode given) {
        Optional<Refused> problem = problem(id, given);
        if (problem.isPresent()) {
            return new Done.Not<>(problem.get());
        }
        RuleBook.Changed changed =
                book.change(
                        id,
                        was -> {
                            ObjectNode document = given.deepCopy();
                            document.put("id", id);
                            JsonNode created = was.rule().document().path("created_at");
                            if (!created.isMissingNode()) {
                                document.set("created_at", created.deepCopy());
                            }
                            document.put("updated_at", ISO.format(clock.instant()));
                            return new RuleBook.Entry(
                                    new RuleDocument(id, document), was.enabled());
                        });
        return changed == RuleBook.Changed.ABSENT ? absent(id) : entry(id);
    }

    Done<RuleBook.Entry> enable(String id, boolean enabled) {
        if (enabled) {
            running.expectRule();
        }
        RuleBook.Changed changed =
                Rule.isId(id)
                        ? book.change(id, was -> new RuleBook.Entry(was.rule(), enabled))
                        : RuleBook.Changed.ABSENT;
        return changed == RuleBook.Changed.ABSENT ? absent(id) : entry(id);
    }

    Done<String> delete(String id) {
        RuleBook.Changed changed = Rule.isId(id) ? book.delete(id) : RuleBook.Changed.ABSENT;
        return changed == RuleBook.Changed.ABSENT ? absent(id) : new Done.With<>(id);
    }

    // ------------------------------------------------------------------ runs

    Done<ObjectNode> execute(String id, ObjectNode context, boolean force, String by) {
        Optional<RuleBook.Entry> entry = book.get(id);
        if (entry.isEmpty()) {
            return absent(id);
        }
        return done(running.run(entry.get().rule(), Rule.given(context), force, by), id);
    }

    Done<ObjectNode> test(ObjectNode rule, ObjectNode context) {
        String id = rule.path("id").asString("test.rule");
        return done(running.test(Rule.isId(id) ? id : "test.rule", rule, Rule.given(context)), id);
    }

    private static Done<ObjectNode> done(Running.ByHand byHand, String id) {
        return switch (byHand) {
            case Running.ByHand.Ran(ObjectNode record) -> new Done.With<>(record);
            case Running.ByHand.NotARule(RuleFault why) -> new Done.Not<>(refused(why));
            case Running.ByHand.Resting resting ->
                    not(
                            EmsCode.INVALID_STATE,
                            "The rule '%s' rests after its last run; force runs it all the same."
                                    .formatted(id));
        };
    }

    /**
     * What a rule would have done in the past.
     *
     * @param given as it is to be; empty for the rule as it is stored
     */
    Done<Rehearsal> rehearsal(String id, Optional<ObjectNode> given, Span span) {
        Optional<RuleBook.Entry> stored = book.get(id);
        Optional<Refused> bad = badId(id);
        if (given.isPresent() && bad.isPresent()) {
            return new Done.Not<>(bad.get());
        }
        Optional<RuleDocument> document =
                given.map(each -> new RuleDocument(id, each))
                        .or(() -> stored.map(RuleBook.Entry::rule));
        if (document.isEmpty()) {
            return absent(id);
        }
        try {
            Rule rule = Rule.read(id, document.get().document());
            return new Done.With<>(rehearser.of(rule, document.get(), given.isEmpty(), span));
        } catch (RuleFault e) {
            return new Done.Not<>(refused(e));
        }
    }

    /** The newest records of one rule or of all, newest first. */
    List<ObjectNode> executions(
            Optional<String> ruleId,
            int limit,
            Optional<Instant> since,
            Optional<Boolean> success) {
        List<ObjectNode> found = new ArrayList<>();
        List<String> ids =
                ruleId.map(List::of)
                        .orElseGet(
                                () -> book.all().stream().map(each -> each.rule().id()).toList());
        for (String id : ids) {
            if (Rule.isId(id)) {
                found.addAll(runs.records(id, ruleId.isPresent() ? 1000 : Math.max(limit, 10)));
            }
        }
        return found.stream()
                .filter(
                        each ->
                                success.isEmpty()
                                        || each.path("success").asBoolean() == success.get())
                .filter(each -> since.isEmpty() || !time(each).isBefore(since.get()))
                .sorted(Comparator.comparing(RulesService::time).reversed())
                .limit(limit)
                .toList();
    }

    private static Instant time(ObjectNode record) {
        try {
            return Instant.parse(record.path("timestamp").asString(""));
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    // ------------------------------------------------------------------ figures

    Map<String, Object> statistics() {
        List<RuleBook.Entry> all = book.all();
        long enabled = all.stream().filter(RuleBook.Entry::enabled).count();
        Map<String, String> counters = runs.counters();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("total_rules", all.size());
        view.put("enabled_rules", enabled);
        view.put("disabled_rules", all.size() - enabled);
        for (String each :
                List.of(
                        "total_executions",
                        "total_triggered",
                        "total_success",
                        "total_failed",
                        "skipped_cooldown",
                        "total_duration_ms")) {
            view.put(each, number(counters.get(each)));
        }
        view.put(
                "recent_executions",
                executions(Optional.empty(), 10, Optional.empty(), Optional.empty()).size());
        view.put("last_execution", second(counters.get("last_execution")));
        return view;
    }

    /** Of one rule. */
    Map<String, Object> statistics(String id) {
        Map<String, String> counters = runs.counters();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("rule_id", id);
        view.put("executions", number(counters.get("executions:" + id)));
        view.put("triggered", number(counters.get("triggered:" + id)));
        view.put("failed", number(counters.get("failed:" + id)));
        view.put("last_execution", second(counters.get("last_execution:" + id)));
        view.put("last_result", counters.get("last_result:" + id));
        return view;
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static @Nullable String second(@Nullable String text) {
        long second = number(text);
        return second == 0 ? null : ISO.format(Instant.ofEpochSecond(second));
    }

    Map<String, Object> scheduler() {
        List<RuleBook.Entry> all = book.all();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("running", true);
        view.put("runs_here", running.runsHere());
        view.put("total", all.size());
        view.put("enabled", all.stream().filter(RuleBook.Entry::enabled).count());
        view.put("tick", 0);
        return view;
    }

    void reload() {
        running.noticed();
    }

    /** What a rule looks at. */
    Optional<ArrayNode> sources(String id) {
        return book.get(id)
                .map(
                        entry -> {
                            ArrayNode list = Json.MAPPER.createArrayNode();
                            try {
                                Rule.read(id, entry.rule().document()).sources().stream()
                                        .map(each -> each.text())
                                        .sorted()
                                        .forEach(list::add);
                            } catch (RuleFault e) {
                                list.removeAll();
                            }
                            return list;
                        });
    }
}
