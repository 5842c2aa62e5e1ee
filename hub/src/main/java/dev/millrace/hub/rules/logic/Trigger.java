package dev.millrace.hub.rules.logic;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What makes a rule look. */
public sealed interface Trigger {
    /** How often a rule looks that says nothing else, beside every change. */
    long STANDARD_SECONDS = 10;

    /** Every so often, at whole multiples since 1970, so that everybody knows when that is. */
    record Interval(long millis) implements Trigger {}

    /**
     * When one of these is written.
     *
     * @param sources none means those of the conditions
     * @param same also when the value is the same
     * @param millis and every so often besides; 0 for never
     */
    record Data(Set<SourceRef> sources, boolean same, long millis) implements Trigger {
        public Data {
            sources = Set.copyOf(sources);
        }
    }

    /**
     * When something happens to one of these alarms.
     *
     * @param rules none means every one
     */
    record Alarm(Set<String> rules, Set<String> events) implements Trigger {
        public Alarm {
            rules = Set.copyOf(rules);
            events = Set.copyOf(events);
        }
    }

    /** At times of the calendar. */
    record Calendar(String text, ExecutionTime times) implements Trigger {}

    /** When somebody asks for it. */
    record Manual() implements Trigger {}

    /** When it looks next by itself, after a moment, in ms since 1970; empty if never. */
    default Optional<Long> next(long after, ZoneId zone) {
        return switch (this) {
            case Interval each -> Optional.of(next(after, each.millis));
            case Data each ->
                    each.millis == 0 ? Optional.empty() : Optional.of(next(after, each.millis));
            case Calendar each ->
                    each.times
                            .nextExecution(
                                    ZonedDateTime.ofInstant(Instant.ofEpochMilli(after), zone))
                            .map(time -> time.toInstant().toEpochMilli());
            case Alarm each -> Optional.empty();
            case Manual each -> Optional.empty();
        };
    }

    private static long next(long after, long millis) {
        return (Math.floorDiv(after, millis) + 1) * millis;
    }

    static Trigger read(ObjectNode rule) throws RuleFault {
        JsonNode node = rule.path("trigger");
        if (node.isMissingNode() || node.isNull()) {
            return new Data(Set.of(), false, STANDARD_SECONDS * 1000);
        }
        ObjectNode trigger;
        if (node instanceof ObjectNode object) {
            trigger = object;
        } else if (node.isString()) {
            trigger = Json.MAPPER.createObjectNode();
            trigger.put("type", node.asString());
        } else {
            throw RuleFault.general("trigger", "A trigger is an object with a type.");
        }
        String type = trigger.path("type").asString("interval");
        return switch (type) {
            case "interval" -> new Interval(interval(trigger));
            case "data_change", "data_update" ->
                    new Data(sources(trigger), type.equals("data_update"), 0);
            case "alarm" ->
                    new Alarm(
                            Fields.texts(trigger, "rule_ids", "trigger.rule_ids"),
                            trigger.has("events")
                                    ? Fields.texts(trigger, "events", "trigger.events")
                                    : Set.of("triggered"));
            case "cron" -> calendar(trigger);
            case "manual" -> new Manual();
            default ->
                    throw RuleFault.general(
                            "trigger.type",
                            "A trigger is interval, data_change, data_update, alarm, cron or"
                                    + " manual, not '%s'.".formatted(SourceRef.shortened(type)));
        };
    }

    private static long interval(ObjectNode trigger) throws RuleFault {
        double seconds =
                trigger.has("interval_ms")
                        ? Fields.number(trigger, "interval_ms", "trigger.interval_ms", 0) / 1000
                        : Fields.number(
                                trigger,
                                trigger.has("interval") ? "interval" : "seconds",
                                "trigger.seconds",
                                STANDARD_SECONDS);
        if (!(seconds >= 0.1 && seconds <= 31_536_000)) {
            throw RuleFault.general(
                    "trigger.seconds", "An interval is from 0.1 seconds to a year.");
        }
        return Math.round(seconds * 1000);
    }

    private static Set<SourceRef> sources(ObjectNode trigger) throws RuleFault {
        Set<SourceRef> sources = new LinkedHashSet<>();
        int i = 0;
        for (JsonNode each : trigger.path("sources")) {
            String member = "trigger.sources[" + i++ + "]";
            sources.add(
                    each instanceof ObjectNode object
                            ? Fields.source(object, member)
                            : SourceRef.parse(each.asString(""), "", member));
        }
        return sources;
    }

    private static Trigger calendar(ObjectNode trigger) throws RuleFault {
        String text =
                trigger.path(trigger.has("expression") ? "expression" : "cron")
                        .asString("")
                        .strip();
        int fields = text.split("\\s+").length;
        CronDefinition definition =
                CronDefinitionBuilder.defineCron()
                        .withSeconds()
                        .and()
                        .withMinutes()
                        .and()
                        .withHours()
                        .and()
                        .withDayOfMonth()
                        .supportsL()
                        .supportsQuestionMark()
                        .and()
                        .withMonth()
                        .and()
                        .withDayOfWeek()
                        .withValidRange(0, 7)
                        .withMondayDoWValue(1)
                        .withIntMapping(7, 0)
                        .supportsHash()
                        .supportsL()
                        .supportsQuestionMark()
                        .and()
                        .instance();
        try {
            if (text.length() > 200 || (fields != 5 && fields != 6)) {
                throw new IllegalArgumentException("it has 5 or 6 fields");
            }
            Cron cron =
                    new CronParser(definition).parse(fields == 5 ? "0 " + text : text).validate();
            return new Calendar(text, ExecutionTime.forCron(cron));
        } catch (IllegalArgumentException e) {
            throw RuleFault.general(
                    "trigger.expression",
                    "'%s' is not a cron expression of 5 or 6 fields."
                            .formatted(SourceRef.shortened(text)));
        }
    }

    /** For people and records. */
    default String word() {
        return switch (this) {
            case Interval each -> "interval";
            case Data each -> each.same ? "data_update" : "data_change";
            case Alarm each -> "alarm";
            case Calendar each -> "cron";
            case Manual each -> "manual";
        };
    }

    List<String> WORDS =
            List.of("interval", "data_change", "data_update", "alarm", "cron", "manual");
}
