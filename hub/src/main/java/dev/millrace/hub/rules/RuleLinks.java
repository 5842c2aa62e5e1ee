package dev.millrace.hub.rules;

import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.running.Execution;
import dev.millrace.hub.why.Episode;
import dev.millrace.hub.why.Kind;
import dev.millrace.hub.why.Links;
import dev.millrace.hub.why.Part;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Executions as parts of chains. A record says what has led to it, so what came of something is
 * found among the records since then, of rules that have run since then. Thread-safe.
 */
final class RuleLinks implements Links {
    /** So far may clocks be apart: some times are Redis's, others are a hub's. */
    private static final Duration APART = Duration.ofMinutes(5);

    /** Of more rules than this the JSON is looked at before their records are. */
    private static final int FEW = 100;

    private static final Set<String> UNDONE = Set.of("skipped", "shadow", "failed");

    private final RuleBook book;
    private final RunLog runs;

    RuleLinks(RuleBook book, RunLog runs) {
        this.book = book;
        this.runs = runs;
    }

    @Override
    public Optional<Part> find(Kind kind, String id) {
        Optional<Instant> at = kind == Kind.EXECUTION ? Execution.at(id) : Optional.empty();
        if (at.isEmpty()) {
            return Optional.empty();
        }
        Instant since = at.get().minus(APART);
        List<String> rules =
                runs.ranSince(since).stream().filter(each -> Execution.isOf(id, each)).toList();
        return runs.search(rules, since, id, is("execution_id", id)).records().stream()
                .findFirst()
                .map(RuleLinks::part);
    }

    private static Predicate<ObjectNode> is(String member, String text) {
        return record -> record.path(member).asString("").equals(text);
    }

    @Override
    public Some startedBy(Part cause) {
        if (cause.kind() == Kind.CALL && !cause.id().startsWith("m-")) {
            return Some.NONE;
        }
        Predicate<ObjectNode> wanted = is("cause", cause.id());
        return some(cause, cause.detail("source"), wanted.and(is("from", "")));
    }

    @Override
    public Some after(Part part) {
        return switch (part.kind()) {
            case ALARM -> some(part, "alarm", is("from", part.id()));
            case EXECUTION ->
                    part.leads(Kind.VALUE).isEmpty()
                            ? Some.NONE
                            : some(part, part.leads(Kind.VALUE).getFirst(), is("from", part.id()));
            case VALUE, CALL, MOMENT, NOTIFICATION, TRANSMISSION, COMMAND, READ_BACK -> Some.NONE;
        };
    }

    /**
     * Executions that say that this part has led to them.
     *
     * @param inRule what the JSON of their rules mentions
     */
    private Some some(Part part, String inRule, Predicate<ObjectNode> wanted) {
        Instant since = part.at().equals(Instant.EPOCH) ? Instant.EPOCH : part.at().minus(APART);
        List<String> rules = runs.ranSince(since);
        if (rules.size() > FEW && !inRule.isEmpty()) {
            rules = book.mentioning(rules, inRule);
        }
        RunLog.Found found = runs.search(rules, since, part.id(), wanted);
        return new Some(found.records().stream().map(RuleLinks::part).toList(), found.all());
    }

    // ------------------------------------------------------------------ a part

    private static Part part(ObjectNode record) {
        String rule = record.path("rule_id").asString("");
        String from = record.path("from").asString("");
        Map<String, Object> details = new LinkedHashMap<>();
        for (String each :
                List.of(
                        "rule_id",
                        "trigger",
                        "woken_by",
                        "conditions_met",
                        "success",
                        "error",
                        "shadow",
                        "resumed",
                        "duration_ms",
                        "matched_condition",
                        "actions_executed")) {
            if (record.hasNonNull(each)) {
                details.put(each, record.path(each));
            }
        }
        return Part.of(
                        Kind.EXECUTION,
                        record.path("execution_id").asString(""),
                        RunLog.at(record),
                        "rule:" + rule,
                        title(record))
                .with(details)
                .from(
                        from.isEmpty()
                                ? Optional.empty()
                                : Optional.of(
                                        new Part.Ref(
                                                Episode.of(from).isPresent()
                                                        ? Kind.ALARM
                                                        : Kind.EXECUTION,
                                                from)))
                .causedBy(cause(record))
                .leadingTo(leads(record));
    }

    private static String title(ObjectNode record) {
        String rule = record.path("rule_id").asString("");
        String error = record.path("error").asString("");
        if (!error.isEmpty()) {
            return "Rule %s failed: %s".formatted(rule, error);
        }
        return record.path("shadow").asBoolean(false)
                ? "Rule %s would have acted".formatted(rule)
                : record.path("conditions_met").asBoolean(false)
                        ? "Rule %s acted".formatted(rule)
                        : "Rule %s looked".formatted(rule);
    }

    private static Optional<Part> cause(ObjectNode record) {
        JsonNode by = record.path("woken_by");
        Map<String, Object> details = new LinkedHashMap<>();
        for (String each : List.of("source", "field", "value")) {
            if (by.has(each)) {
                details.put(each, by.path(each).asString(""));
            }
        }
        String who = by.path("by").asString("");
        String rule = record.path("rule_id").asString("");
        String title =
                details.isEmpty()
                        ? switch (record.path("trigger").asString("")) {
                            case "manual" -> "Rule %s was run by hand".formatted(rule);
                            case "alarm" -> "Something happened";
                            default -> "It was time for rule %s".formatted(rule);
                        }
                        : "%s %s = %s"
                                .formatted(
                                        details.get("source"),
                                        details.get("field"),
                                        details.get("value"));
        return Part.cause(
                record.path("cause").asString(""), RunLog.at(record), who, title, details);
    }

    private static Map<Kind, List<String>> leads(ObjectNode record) {
        Map<Kind, List<String>> leads = new LinkedHashMap<>();
        for (JsonNode line : record.path("actions_executed")) {
            lead(leads, Kind.COMMAND, line.path("cmd_id"));
            if (!UNDONE.contains(line.path("status").asString(""))) {
                lead(leads, Kind.ALARM, line.path("alarm_id"));
                lead(leads, Kind.NOTIFICATION, line.path("slug"));
                lead(leads, Kind.VALUE, line.path("source"));
            }
        }
        return leads;
    }

    private static void lead(Map<Kind, List<String>> leads, Kind kind, JsonNode id) {
        if (id.isString() && !id.asString("").isEmpty()) {
            leads.computeIfAbsent(kind, none -> new ArrayList<>()).add(id.asString(""));
        }
    }
}
