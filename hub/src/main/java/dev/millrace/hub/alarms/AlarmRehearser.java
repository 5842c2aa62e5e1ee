package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.logic.AlarmEvent;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.history.Past;
import dev.millrace.hub.rehearsal.Difference;
import dev.millrace.hub.rehearsal.Rehearsal;
import dev.millrace.hub.rehearsal.Span;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Rehearses alarm rules: the table of the states is given the values of the past at their times, as
 * it is given those that are written now. Thread-safe.
 */
final class AlarmRehearser {
    /** An alarm at the start is what this time before it leaves, or the delays of its rule. */
    private static final Duration LEAST_BEFORE = Duration.ofHours(1);

    private static final Duration MOST_BEFORE = Duration.ofDays(7);

    /** Events are kept with their second, and values are measured before they are written. */
    private static final long TOLERANCE_MILLIS = 2_000;

    private final AlarmsKept kept;
    private final Past past;

    AlarmRehearser(AlarmsKept kept, Past past) {
        this.kept = kept;
        this.past = past;
    }

    /**
     * Prepares one.
     *
     * @param given the rule as it is to be; empty for the rule as it is stored
     */
    Done<Rehearsal> rehearsal(String id, Optional<ObjectNode> given, Span span) {
        AlarmRule rule;
        if (given.isPresent()) {
            if (RuleReader.id(id) instanceof Done.Not<String>(Refused why)) {
                return new Done.Not<>(why);
            }
            switch (RuleReader.rule(id, given.get())) {
                case Done.Not<AlarmRule>(Refused why) -> {
                    return new Done.Not<>(why);
                }
                case Done.With<AlarmRule>(AlarmRule read) -> rule = read;
            }
        } else {
            Optional<AlarmRule> stored = kept.reads().rule(id);
            if (stored.isEmpty()) {
                return new Done.Not<>(
                        Refused.of(
                                EmsCode.RULE_NOT_FOUND,
                                "There is no alarm rule %s.".formatted(id)));
            }
            rule = stored.get();
        }
        return switch (Terms.of(rule)) {
            case Terms.Invalid(String reason) ->
                    new Done.Not<>(Refused.of(EmsCode.INVALID_CONDITION, reason + "."));
            case Terms.Valid terms ->
                    new Done.With<>(
                            course -> {
                                AlarmPlay play =
                                        new AlarmPlay(past, rule, terms, span, before(terms));
                                ObjectNode answer = play.run(course);
                                answer.put("stored", given.isEmpty());
                                difference(rule, given.isEmpty(), span)
                                        .addTo(answer, play.firings());
                                return answer;
                            });
        };
    }

    private static long before(Terms.Valid terms) {
        long longest =
                Math.max(
                        Math.max(terms.onDelay(), terms.offDelay()),
                        Math.max(terms.noDataAfter(), terms.reAlarmAfter()));
        return Math.clamp(longest, LEAST_BEFORE.toMillis(), MOST_BEFORE.toMillis());
    }

    private Difference difference(AlarmRule rule, boolean stored, Span span) {
        List<ObjectNode> events = kept.reads().events();
        long from = span.start();
        if (stored) {
            from = Math.max(from, seconds(rule.text(AlarmRule.UPDATED_AT)));
        }
        if (events.size() >= AlarmReads.MOST_EVENTS) {
            // Older ones are not known.
            from = Math.max(from, seconds(events.getLast().path("timestamp").asString("")));
        }
        List<Difference.Live> live =
                EventTimes.between(events, from, span.end()).stream()
                        .filter(each -> each.ruleId().equals(rule.id()))
                        .filter(each -> each.type().equals(AlarmEvent.Type.TRIGGERED.word()))
                        .map(each -> new Difference.Live(each.at(), "", ""))
                        .toList();
        return new Difference(from, live, TOLERANCE_MILLIS);
    }

    private static long seconds(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,12}") ? Long.parseLong(text) * 1000 : 0;
    }
}
