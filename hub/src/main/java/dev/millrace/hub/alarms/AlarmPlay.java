package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Lifecycle;
import dev.millrace.hub.alarms.logic.Step;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.alarms.logic.Timer;
import dev.millrace.hub.alarms.logic.Transition;
import dev.millrace.hub.history.Past;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.rehearsal.Course;
import dev.millrace.hub.rehearsal.Firing;
import dev.millrace.hub.rehearsal.Firings;
import dev.millrace.hub.rehearsal.Span;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One rehearsal of an alarm rule. Of one thread alone. */
final class AlarmPlay {
    private final Past past;
    private final AlarmRule rule;
    private final Terms.Valid terms;
    private final Span span;
    private final long begin;
    private final Firings firings = new Firings();
    private final Map<Timer, Long> timers = new EnumMap<>(Timer.class);
    private Alarm alarm;
    private @Nullable Sample present;
    private long samples;

    AlarmPlay(Past past, AlarmRule rule, Terms.Valid terms, Span span, long before) {
        this.past = past;
        this.rule = rule.with(AlarmRule.ENABLED, "true");
        this.terms = terms;
        this.span = span;
        this.begin = Math.max(0, span.start() - before);
        this.alarm = Alarm.none(rule.id());
    }

    List<Firing> firings() {
        return firings.kept();
    }

    ObjectNode run(Course course) {
        SeriesName series = series();
        past.before(series, Instant.ofEpochMilli(begin))
                .ifPresent(
                        sample -> {
                            present = sample;
                            happens(value(sample, true), begin);
                        });
        if (terms.noDataAfter() > 0) {
            timers.put(Timer.NO_DATA, begin + terms.noDataAfter());
        }
        terms.schedule()
                .map(windows -> windows.nextOpening(begin))
                .ifPresent(next -> next.ifPresent(at -> timers.put(Timer.WINDOW, at)));
        past.replay(
                List.of(series),
                Instant.ofEpochMilli(begin),
                Instant.ofEpochMilli(span.end()),
                (name, sample) -> {
                    timersUntil(sample.at());
                    present = sample;
                    if (sample.at() >= span.start()) {
                        samples++;
                    }
                    happens(value(sample, false), sample.at());
                    return course.reaches(sample.at());
                });
        if (course.goesOn()) {
            timersUntil(span.end() - 1);
        }
        return answer(course);
    }

    private SeriesName series() {
        String[] parts = String.valueOf(rule.sourceKey()).split(":", -1);
        boolean plain = parts[2].equals("T") || parts[2].equals("measurement");
        String field = String.valueOf(rule.field());
        return new SeriesName(parts[0], parts[1], plain ? field : parts[2] + "." + field);
    }

    private static Happening.Value value(Sample sample, boolean initial) {
        return new Happening.Value(sample.text(), sample.number(), true, initial);
    }

    /** Timers that are due, in the order of their times. */
    private void timersUntil(long now) {
        while (true) {
            Optional<Map.Entry<Timer, Long>> next =
                    timers.entrySet().stream()
                            .filter(each -> each.getValue() <= now)
                            .min(Map.Entry.comparingByValue());
            if (next.isEmpty()) {
                return;
            }
            Timer timer = next.get().getKey();
            long at = next.get().getValue();
            timers.remove(timer);
            Sample known = present;
            happens(
                    new Happening.Due(
                            timer,
                            Optional.ofNullable(known).map(each -> value(each, true)),
                            known == null ? begin : known.at()),
                    at);
        }
    }

    private void happens(Happening happening, long now) {
        Step step = new Lifecycle(rule, terms, alarm, false, now).after(happening);
        if (!(step instanceof Step.Moves(Transition moves))) {
            return;
        }
        for (Timer.Change each : moves.timers()) {
            switch (each) {
                case Timer.Change.Set(Timer timer, long due) ->
                        timers.put(timer, Math.max(due, now + 1));
                case Timer.Change.Cancelled(Timer timer) -> timers.remove(timer);
            }
        }
        alarm = moves.after();
        if (moves.triggers() && span.contains(now)) {
            triggers(happening, now);
        } else if (moves.clears()) {
            firings.ended(now);
        }
    }

    private void triggers(Happening happening, long now) {
        ObjectNode view = Json.MAPPER.createObjectNode();
        String word =
                switch (happening) {
                    case Happening.Value value -> value.initial() ? "initial" : "value";
                    case Happening.Due(Timer timer, var present, var last) ->
                            timer == Timer.NO_DATA ? "no_data" : "delay";
                    case Happening.Acknowledge by -> "by_hand";
                    case Happening.Shelve by -> "by_hand";
                    case Happening.Unshelve by -> "by_hand";
                    case Happening.Reset by -> "by_hand";
                    case Happening.ClearByHand by -> "by_hand";
                    case Happening.RaiseByHand by -> "by_hand";
                    case Happening.Disabled by -> "by_hand";
                    case Happening.Enabled by -> "by_hand";
                    case Happening.Moved by -> "by_hand";
                };
        view.put("at", Span.iso(now));
        view.put("timestamp", now);
        view.put("trigger", word);
        view.put("triggered", true);
        Sample known = present;
        ObjectNode values = view.putObject("values");
        if (known != null) {
            values.put(rule.sourceKey() + ":" + rule.field(), known.text());
        }
        view.put("level", rule.level().word());
        firings.add(new Firing(now, word, view));
    }

    private ObjectNode answer(Course course) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("rule_id", rule.id());
        answer.put("start", Span.iso(span.start()));
        answer.put("end", Span.iso(span.end()));
        answer.put("complete", course.goesOn());
        answer.put("reached", Span.iso(course.goesOn() ? span.end() : course.reached()));
        answer.put("samples", samples);
        firings.addTo(answer);
        ArrayNode notes = answer.putArray("notes");
        if (present == null) {
            notes.add("History has nothing of %s in this time.".formatted(series().text()));
        }
        if (terms.noDataAfter() > 0) {
            notes.add(
                    "History keeps values that change: one that stayed the same may look like one"
                            + " that did not come.");
        }
        if (terms.onBadQuality() != Terms.BadQuality.IGNORE) {
            notes.add("History does not know the quality of values; all of them count as good.");
        }
        if (rule.suppressedBy() != null) {
            notes.add("Whether %s was raised is not looked at.".formatted(rule.suppressedBy()));
        }
        if (terms.latched()) {
            notes.add("Nobody resets an alarm here: once raised, it stays.");
        }
        if (!course.goesOn()) {
            notes.add("It was ended before its end.");
        }
        return answer;
    }
}
