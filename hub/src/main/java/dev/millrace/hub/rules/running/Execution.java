package dev.millrace.hub.rules.running;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.rules.logic.Action;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.hub.rules.logic.Sight;
import dev.millrace.hub.why.Origin;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a rule and its record. Its id follows from the rule and the cause: the same value that
 * is read again after a crash gives the same execution, which is done once.
 */
public final class Execution {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final int MOST_VARIABLES = 100;
    private static final int LONGEST_RECORD = 65_536;
    private static final int DIGITS_OF_RULE = 6;
    private static final int DIGITS_OF_CAUSE = 12;
    private static final Pattern ID =
            Pattern.compile(
                    "x([0-9a-z]{1,9})-([0-9a-z]{%d})[0-9a-z]{%d}"
                            .formatted(DIGITS_OF_RULE, DIGITS_OF_CAUSE));

    private final String id;
    private final Rule rule;
    private final Rule.Verdict verdict;
    private final Sight sight;
    private final Cause cause;
    private final List<Outcome> outcomes = new ArrayList<>();
    private String error;

    private record Outcome(Action.Planned planned, Ways.Result result) {}

    Execution(Rule rule, Rule.Verdict verdict, Sight sight, Cause cause) {
        this.id = id(rule.id(), cause, sight.now());
        this.rule = rule;
        this.verdict = verdict;
        this.sight = sight;
        this.cause = cause;
        this.error = verdict.error();
    }

    /**
     * The time, then digits of the rule, by which it is found again without knowing the cause, then
     * digits of both.
     */
    static String id(String ruleId, Cause cause, long now) {
        return "x%s-%s%s"
                .formatted(
                        Long.toString(now, Character.MAX_RADIX),
                        digits(ruleId, DIGITS_OF_RULE),
                        digits(ruleId + '\n' + cause.id(), DIGITS_OF_CAUSE));
    }

    private static String digits(String text, int most) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            String digits = new BigInteger(1, hash).toString(Character.MAX_RADIX);
            return digits.substring(0, most);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** When it was, as its id says; empty if it is not the id of an execution. */
    public static Optional<Instant> at(String id) {
        Matcher parts = ID.matcher(id);
        return parts.matches()
                ? Optional.of(
                        Instant.ofEpochMilli(Long.parseLong(parts.group(1), Character.MAX_RADIX)))
                : Optional.empty();
    }

    /** Whether an execution with this id can be one of this rule. */
    public static boolean isOf(String id, String ruleId) {
        Matcher parts = ID.matcher(id);
        return parts.matches() && parts.group(2).equals(digits(ruleId, DIGITS_OF_RULE));
    }

    /** What an action leads to in other rooms, if it is taken: ids, by what they are of. */
    static void leadsTo(
            ObjectNode line, Action.Kind kind, String target, String ruleId, String id) {
        switch (kind) {
            case ALARM -> line.put("alarm_id", "rule." + ruleId);
            case NOTIFY -> line.put("slug", id);
            case WRITE -> line.put("source", target.substring(0, target.lastIndexOf(':')));
            case COMMAND, MODEL, KEEP, PUBLISH, EVENT, LOG -> {}
        }
    }

    String id() {
        return id;
    }

    Rule rule() {
        return rule;
    }

    Sight sight() {
        return sight;
    }

    /** What all that it does comes from. */
    Origin origin() {
        return cause.origin().through(id);
    }

    List<Action.Planned> planned() {
        return verdict.planned();
    }

    void came(Action.Planned planned, Ways.Result result) {
        outcomes.add(new Outcome(planned, result));
        if (result.failed() && error.isEmpty()) {
            error = result.error();
        }
    }

    void fails(String why) {
        if (error.isEmpty()) {
            error = why;
        }
    }

    boolean success() {
        return error.isEmpty();
    }

    /** Why it failed; empty if it did not. */
    String error() {
        return error;
    }

    /** What made the rule look, in a word. */
    String trigger() {
        return cause.trigger();
    }

    boolean triggered() {
        return verdict.met();
    }

    /** What is kept of it. */
    public ObjectNode record(long durationMillis) {
        ObjectNode record = Json.MAPPER.createObjectNode();
        record.put("execution_id", id);
        record.put("rule_id", rule.id());
        record.put("timestamp", ISO.format(Instant.ofEpochMilli(sight.now())));
        record.put("trigger", cause.trigger());
        record.put("cause", cause.origin().cause());
        if (!cause.origin().from().isEmpty()) {
            record.put("from", cause.origin().from());
        }
        if (!cause.wokenBy().isEmpty()) {
            ObjectNode by = record.putObject("woken_by");
            cause.wokenBy().forEach(by::put);
        }
        record.put("triggered", verdict.met());
        record.put("conditions_met", verdict.met());
        record.put("success", success());
        if (rule.shadow()) {
            record.put("shadow", true);
        }
        ArrayNode actions = record.putArray("actions_executed");
        int number = 0;
        for (Outcome each : outcomes) {
            ObjectNode line = actions.addObject();
            line.put("type", each.planned.action().config().path("type").asString(""));
            line.put("target", each.planned.action().target());
            line.put("value", each.planned.value());
            number++;
            Action action = each.planned.action();
            leadsTo(line, action.kind(), action.target(), rule.id(), id + "-" + number);
            line.put("status", each.result.status());
            if (!each.result.commandId().isEmpty()) {
                line.put("cmd_id", each.result.commandId());
            }
            if (each.result.failed()) {
                line.put("error", each.result.error());
            }
        }
        if (error.isEmpty()) {
            record.putNull("error");
        } else {
            record.put("error", error);
        }
        record.put("duration_ms", durationMillis);
        ObjectNode variables = record.putObject("variables");
        sight.variables().entrySet().stream()
                .limit(MOST_VARIABLES)
                .forEach(each -> put(variables, each.getKey(), each.getValue()));
        ArrayNode path = record.putArray("execution_path");
        sight.path().forEach(path::add);
        record.put("matched_condition", verdict.matched());
        ArrayNode missing = record.putArray("missing");
        sight.missing().stream().sorted().forEach(missing::add);
        record.set("trace", sight.trace());
        if (Json.write(record).length > LONGEST_RECORD) {
            record.putArray("trace");
            record.putObject("variables");
        }
        return record;
    }

    private static void put(ObjectNode object, String name, Object value) {
        switch (value) {
            case Boolean truth -> object.put(name, truth);
            case Number number -> object.put(name, number.doubleValue());
            default -> object.put(name, String.valueOf(value));
        }
    }
}
