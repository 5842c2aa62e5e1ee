package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.kept.RuleChanges;
import dev.millrace.hub.alarms.kept.RuleText;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Lifecycle;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.alarms.logic.Transition;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is decided about alarm rules. Thread-safe. */
final class RulesService {
    private static final int MOST_DIGITS = 12;

    private final AlarmsKept kept;
    private final InstantSource clock;

    RulesService(AlarmsKept kept, InstantSource clock) {
        this.kept = kept;
        this.clock = clock;
    }

    /** Some rules that were stored. */
    record Stored(List<AlarmRule> rules, boolean created) {}

    /**
     * Stores a rule, or the rules that a set of limits stands for.
     *
     * @param mode what is to be there before
     */
    Done<Stored> save(String id, ObjectNode json, RuleChanges.Mode mode, @Nullable String user) {
        Map<String, ObjectNode> set = LimitSets.expanded(id, json);
        Map<String, ObjectNode> all = set.isEmpty() ? Map.of(id, json) : set;
        // All of them are read before the first is stored.
        for (Map.Entry<String, ObjectNode> each : all.entrySet()) {
            if (RuleReader.id(each.getKey()) instanceof Done.Not<String>(Refused why)) {
                return new Done.Not<>(why);
            }
            if (RuleReader.rule(each.getKey(), each.getValue())
                    instanceof Done.Not<AlarmRule>(Refused why)) {
                return new Done.Not<>(why);
            }
        }
        List<AlarmRule> stored = new ArrayList<>();
        boolean created = false;
        for (Map.Entry<String, ObjectNode> each : all.entrySet()) {
            AlarmRule rule = RuleReader.rule(each.getKey(), each.getValue()).orRefuse();
            switch (kept.rules()
                    .save(rule.id(), mode, before -> wish(rule, each.getValue(), before), user)) {
                case RuleChanges.Saved.Created(AlarmRule saved) -> {
                    stored.add(saved);
                    created = true;
                }
                case RuleChanges.Saved.Replaced(AlarmRule saved) -> stored.add(saved);
                case RuleChanges.Saved.Taken() -> {
                    return new Done.Not<>(
                            Refused.of(
                                    EmsCode.ALREADY_EXISTS,
                                    "There is an alarm rule %s already.".formatted(rule.id())));
                }
                case RuleChanges.Saved.Absent() -> {
                    return unknown(rule.id());
                }
            }
        }
        return new Done.With<>(new Stored(stored, created));
    }

    RuleChanges.Wish wish(AlarmRule rule, ObjectNode json, Optional<AlarmRule> before) {
        String now = Long.toString(Math.floorDiv(clock.millis(), 1000));
        String created =
                before.map(each -> each.text(AlarmRule.CREATED_AT))
                        .filter(text -> text.length() <= MOST_DIGITS)
                        .orElse(now);
        AlarmRule timed = rule.with(AlarmRule.CREATED_AT, created).with(AlarmRule.UPDATED_AT, now);
        return new RuleChanges.Wish(timed, RuleText.of(timed, json).toString());
    }

    /** Changes some members of a rule; null takes one away. */
    Done<AlarmRule> patch(String id, ObjectNode changes, @Nullable String user) {
        Optional<AlarmRule> before = kept.reads().rule(id);
        if (before.isEmpty()) {
            return unknown(id);
        }
        ObjectNode whole = view(before.get());
        changes.properties()
                .forEach(
                        each -> {
                            if (each.getValue().isNull()) {
                                whole.remove(each.getKey());
                            } else {
                                whole.set(each.getKey(), each.getValue());
                            }
                        });
        return switch (save(id, whole, RuleChanges.Mode.KNOWN, user)) {
            case Done.With<Stored>(Stored stored) -> new Done.With<>(stored.rules().getFirst());
            case Done.Not<Stored>(Refused why) -> new Done.Not<>(why);
        };
    }

    /** Enables or disables a rule. */
    Done<AlarmRule> enable(String id, boolean enabled, @Nullable String user) {
        Optional<AlarmRule> before = kept.reads().rule(id);
        if (before.isEmpty()) {
            return unknown(id);
        }
        String word = Boolean.toString(enabled);
        return switch (kept.rules()
                .save(
                        id,
                        RuleChanges.Mode.KNOWN,
                        known -> {
                            AlarmRule rule = known.orElse(before.get());
                            return wish(
                                    rule.with(AlarmRule.ENABLED, word),
                                    kept.reads().submitted(rule),
                                    known);
                        },
                        user)) {
            case RuleChanges.Saved.Created(AlarmRule saved) -> new Done.With<>(saved);
            case RuleChanges.Saved.Replaced(AlarmRule saved) -> new Done.With<>(saved);
            case RuleChanges.Saved.Taken() -> unknown(id);
            case RuleChanges.Saved.Absent() -> unknown(id);
        };
    }

    Done<String> delete(String id, @Nullable String user) {
        return kept.reads().rule(id).isPresent() && kept.rules().delete(id, user)
                ? new Done.With<>(id)
                : unknown(id);
    }

    Done<AlarmRule> get(String id) {
        return kept.reads()
                .rule(id)
                .<Done<AlarmRule>>map(Done.With::new)
                .orElseGet(() -> unknown(id));
    }

    /** All of a rule; what its hash says wins over what was submitted. */
    ObjectNode view(AlarmRule rule) {
        return RuleText.of(rule, kept.reads().submitted(rule));
    }

    /** The same of some rules. */
    List<ObjectNode> views(List<AlarmRule> rules) {
        List<ObjectNode> submitted = kept.reads().submitted(rules);
        List<ObjectNode> views = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            views.add(RuleText.of(rules.get(i), submitted.get(i)));
        }
        return views;
    }

    Optional<AlarmRule> find(String id) {
        return kept.reads().rule(id);
    }

    List<AlarmReads.Both> all() {
        return kept.reads().everything();
    }

    /** What a value would do now, without doing it. */
    Done<Transition> test(String id, String text, double number) {
        Optional<AlarmRule> rule = kept.reads().rule(id);
        if (rule.isEmpty()) {
            return unknown(id);
        }
        if (Terms.of(rule.get()) instanceof Terms.Invalid(String reason)) {
            return new Done.Not<>(Refused.of(EmsCode.INVALID_CONDITION, reason + "."));
        }
        Alarm alarm = kept.reads().alarm(id).orElse(Alarm.none(id));
        Lifecycle cycle =
                new Lifecycle(rule.get(), Terms.of(rule.get()), alarm, false, clock.millis());
        return new Done.With<>(cycle.of(new Happening.Value(text, number, true, false)));
    }

    private static <T> Done<T> unknown(String id) {
        return new Done.Not<>(
                Refused.of(EmsCode.RULE_NOT_FOUND, "There is no alarm rule %s.".formatted(id)));
    }
}
