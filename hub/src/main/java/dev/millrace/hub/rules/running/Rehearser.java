package dev.millrace.hub.rules.running;

import dev.millrace.hub.alarms.Alarming;
import dev.millrace.hub.history.Past;
import dev.millrace.hub.rehearsal.Difference;
import dev.millrace.hub.rehearsal.Rehearsal;
import dev.millrace.hub.rehearsal.Span;
import dev.millrace.hub.rules.kept.RuleDocument;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Rule;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rehearses rules: the runner that runs live rules is given the values of the past at their times,
 * and what it finds is noted instead of done. So a rehearsal differs from what was live only in
 * what it was given. Thread-safe.
 */
public final class Rehearser {
    /** What a rule remembers at the start is what this time before it leaves in it, or more. */
    private static final Duration LEAST_BEFORE = Duration.ofHours(1);

    private static final Duration MOST_BEFORE = Duration.ofDays(7);
    private static final int MOST_RECORDS = 1000;

    /** A rule that was saved looks when the hub that runs it hears of that. */
    private static final long TOLERANCE_MILLIS = 1_000;

    private final Past past;
    private final Alarming alarming;
    private final RunLog runs;
    private final ZoneId zone = ZoneId.systemDefault();

    public Rehearser(Past past, Alarming alarming, RunLog runs) {
        this.past = past;
        this.alarming = alarming;
        this.runs = runs;
    }

    /**
     * Prepares one.
     *
     * @param stored whether it is the rule as it is stored, and not another one
     */
    public Rehearsal of(Rule rule, RuleDocument document, boolean stored, Span span) {
        return course -> {
            long savedAt = stored ? document.updatedAt() : 0;
            boolean anew = document.createdAt() == savedAt;
            List<ObjectNode> records = runs.records(rule.id(), MOST_RECORDS);
            Play play =
                    new Play(
                            new Play.Given(past, alarming, zone, rule, document),
                            span,
                            span.start() - before(rule, document.document()),
                            course);
            if (stored) {
                play.saved(savedAt, anew);
                lastActed(records, span.start()).ifPresent(play::actedLast);
            }
            ObjectNode answer = play.run();
            answer.put("stored", stored);
            Difference difference = difference(records, span, savedAt);
            difference.addTo(answer, play.firings());
            return answer;
        };
    }

    /** How long it begins earlier. */
    private static long before(Rule rule, ObjectNode document) {
        double longest = rule.cooldownMillis();
        for (var each : document.findValues("duration")) {
            longest = Math.max(longest, each.asDouble(0) * 1000);
        }
        return Math.clamp((long) longest, LEAST_BEFORE.toMillis(), MOST_BEFORE.toMillis());
    }

    private static Optional<Long> lastActed(List<ObjectNode> records, long before) {
        return records.stream()
                .filter(each -> each.path("triggered").asBoolean(false))
                .map(each -> RuleDocument.moment(each, "timestamp"))
                .filter(at -> at < before)
                .findFirst();
    }

    private static Difference difference(List<ObjectNode> records, Span span, long savedAt) {
        long from = Math.max(span.start(), savedAt);
        if (records.size() >= MOST_RECORDS) {
            // Older ones are not known.
            from = Math.max(from, RuleDocument.moment(records.getLast(), "timestamp"));
        }
        List<Difference.Live> live = new ArrayList<>();
        for (ObjectNode each : records.reversed()) {
            long at = RuleDocument.moment(each, "timestamp");
            String trigger = each.path("trigger").asString("");
            if (at >= from && at < span.end() && !trigger.equals("manual")) {
                live.add(new Difference.Live(at, trigger, each.path("execution_id").asString("")));
            }
        }
        return new Difference(from, live, TOLERANCE_MILLIS);
    }
}
