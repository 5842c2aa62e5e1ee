package dev.millrace.hub.alarms.logic;

import dev.millrace.hub.alarms.logic.Happening.Value;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The table of the states: a rule, its alarm, what happened and the time give what becomes of the
 * alarm. A function; it reads nothing and writes nothing.
 *
 * <p>Delays begin with a field that says since when, and a timer; whichever comes first after the
 * delay, the timer or another value, ends it. So a restart in between changes nothing.
 *
 * @param rule as it is now
 * @param terms what it comes to
 * @param alarm as it is before
 * @param silenced whether the alarm that suppresses it is raised
 * @param now in ms
 */
public record Lifecycle(AlarmRule rule, Terms terms, Alarm alarm, boolean silenced, long now) {

    /** How an alarm ended. */
    public static final String CONDITION_CLEARED = "condition_cleared";

    public static final String RULE_DISABLED = "rule_disabled";
    public static final String MANUAL = "manual";
    public static final String SOURCE_REMOVED = "source_removed";

    private static final Step NEVER_RAISED = new Step.NeverRaised();

    public Step after(Happening happening) {
        return switch (happening) {
            case Value value -> moves(value(value));
            case Happening.Due due -> moves(due(due));
            case Happening.Acknowledge by -> acknowledged(by);
            case Happening.Shelve by -> shelved(by);
            case Happening.Unshelve(String user) ->
                    !alarm.exists()
                            ? NEVER_RAISED
                            : moves(alarm.isShelved() ? draft().unshelve(user) : draft());
            case Happening.Reset by -> reset(by);
            case Happening.ClearByHand by -> clearedByHand(by);
            case Happening.RaiseByHand by -> raisedByHand(by);
            case Happening.Disabled(String user) -> moves(disabled(user));
            case Happening.Enabled(String user) -> moves(enabled());
            case Happening.Moved() -> moves(moved());
        };
    }

    private static Step moves(Draft draft) {
        return draft.done();
    }

    private Draft draft() {
        return new Draft(rule, terms, alarm, now);
    }

    // ---------------------------------------------------------------- values

    /** What a value leads to. */
    public Transition of(Value value) {
        return value(value).transition();
    }

    private Draft value(Value value) {
        Draft draft = draft();
        if (!(terms instanceof Terms.Valid valid) || !rule.isEnabled()) {
            return draft;
        }
        if (Double.isNaN(value.number())) {
            return draft;
        }
        if (alarm.has(Alarm.NO_DATA_SINCE) && !value.initial()) {
            dataIsBack(draft, value);
        }
        boolean open = valid.schedule().isEmpty() || valid.schedule().get().isOpen(now);
        boolean ignored = !value.good() && valid.onBadQuality() == Terms.BadQuality.IGNORE;
        if (!open || ignored) {
            return draft;
        }
        Condition.Sample sample = sample(value);
        if (valid.condition().operator().looksBack() && !value.initial()) {
            draft.set(Alarm.LAST_VALUE, value.text()).set(Alarm.LAST_MS, Long.toString(now));
        }
        boolean bad = !value.good() && valid.onBadQuality() == Terms.BadQuality.TRIGGER;
        if (draft.isActive()) {
            boolean stays = bad || valid.condition().keeps(sample) || draft.has(Alarm.BY_NO_DATA);
            return stays ? stays(draft, value) : ends(draft, value, valid);
        }
        boolean met = bad || valid.condition().raises(sample);
        return met ? begins(draft, value, valid) : draft.notPending();
    }

    private Condition.Sample sample(Value value) {
        String last = alarm.text(Alarm.LAST_VALUE);
        double before = last == null ? Double.NaN : Numbers.of(last);
        double seconds = (now - alarm.number(Alarm.LAST_MS)) / 1000.0;
        return new Condition.Sample(value.number(), before, seconds);
    }

    /** An alarm for missing data alone ends with it; any other goes on by its condition. */
    private void dataIsBack(Draft draft, Value value) {
        draft.event(AlarmEvent.Type.DATA_RESTORED, value.text());
        if (alarm.has(Alarm.BY_NO_DATA)) {
            // The condition is looked at as for an alarm that is not raised.
            draft.end(value.text(), CONDITION_CLEARED, AlarmEvent.Type.CLEARED, null);
        }
        draft.remove(Alarm.NO_DATA_SINCE).timer(Timer.NO_DATA, now + noDataAfter());
    }

    private Draft stays(Draft draft, Value value) {
        draft.notClearing();
        return draft.set(Alarm.CURRENT_VALUE, value.text());
    }

    private Draft ends(Draft draft, Value value, Terms.Valid valid) {
        if (valid.latched()) {
            return draft.set(Alarm.CURRENT_VALUE, value.text());
        }
        boolean running = alarm.has(Alarm.CLEARING_SINCE);
        long since = alarm.since(Alarm.CLEARING_MS, Alarm.CLEARING_SINCE);
        if (valid.offDelay() > 0 && !(running && passed(since, valid.offDelay()))) {
            draft.set(Alarm.CURRENT_VALUE, value.text());
            return running
                    ? draft
                    : draft.running(
                            Alarm.CLEARING_SINCE,
                            Alarm.CLEARING_MS,
                            Timer.OFF_DELAY,
                            valid.offDelay());
        }
        return draft.end(value.text(), CONDITION_CLEARED, AlarmEvent.Type.CLEARED, null);
    }

    /** A clock that was put back counts as one that stood still. */
    private boolean passed(long since, long delay) {
        return now - since >= delay;
    }

    private Draft begins(Draft draft, Value value, Terms.Valid valid) {
        if (isSameAsClearedByHand(value)) {
            return draft;
        }
        if (alarm.has(Alarm.HOLDOFF_MS)) {
            if (now < alarm.number(Alarm.HOLDOFF_MS)) {
                return draft;
            }
            draft.remove(Alarm.HOLDOFF_MS).cancel(Timer.HOLDOFF);
        }
        long count = alarm.number(Alarm.MATCH_COUNT) + (value.initial() ? 0 : 1);
        if (valid.repeatCount() > 1 && count < valid.repeatCount()) {
            return count > 0 ? draft.set(Alarm.MATCH_COUNT, Long.toString(count)) : draft;
        }
        boolean running = alarm.has(Alarm.PENDING_SINCE);
        long since = alarm.since(Alarm.PENDING_MS, Alarm.PENDING_SINCE);
        if (valid.onDelay() > 0 && !(running && passed(since, valid.onDelay()))) {
            return running
                    ? draft
                    : draft.running(
                            Alarm.PENDING_SINCE, Alarm.PENDING_MS, Timer.ON_DELAY, valid.onDelay());
        }
        if (silenced) {
            return alarm.has(Alarm.SUPPRESSED)
                    ? draft
                    : draft.set(Alarm.SUPPRESSED, "1")
                            .event(AlarmEvent.Type.SUPPRESSED, value.text());
        }
        draft.raise(value.text());
        return draft.event(
                AlarmEvent.Type.TRIGGERED,
                value.text(),
                "initial",
                value.initial() ? "true" : null);
    }

    /** To look again at the value that somebody has cleared is not an update of it. */
    private boolean isSameAsClearedByHand(Value value) {
        return value.initial()
                && MANUAL.equals(alarm.text(Alarm.CLEAR_REASON))
                && !alarm.has(Alarm.HOLDOFF_MS)
                && value.text().equals(alarm.text(Alarm.CLEAR_VALUE));
    }

    // ---------------------------------------------------------------- timers

    private Draft due(Happening.Due due) {
        return switch (due.timer()) {
            case ON_DELAY, OFF_DELAY, WINDOW -> again(due);
            case HOLDOFF -> again(due);
            case NO_DATA -> noData(due);
            case SHELVING -> shelvingIsOver();
            case RE_ALARM -> acknowledgementIsOver();
            case ESCALATION -> escalated();
            case RELEASE -> draft();
        };
    }

    /** The value that stands counts, however long it has been there. */
    private Draft again(Happening.Due due) {
        Draft draft =
                due.present()
                        .map(each -> new Value(each.text(), each.number(), each.good(), false))
                        .map(this::afterDelay)
                        .orElseGet(this::draft);
        if (due.timer() == Timer.WINDOW
                && terms instanceof Terms.Valid valid
                && valid.schedule().isPresent()) {
            OptionalLong next = valid.schedule().get().nextOpening(now);
            next.ifPresent(at -> draft.timer(Timer.WINDOW, at));
        }
        return draft;
    }

    /** To look at the same value again is not one more in a row. */
    private Draft afterDelay(Value value) {
        boolean counts = terms instanceof Terms.Valid valid && valid.repeatCount() > 1;
        return value(
                counts && !alarm.has(Alarm.PENDING_SINCE)
                        ? new Value(value.text(), value.number(), value.good(), true)
                        : value);
    }

    private long noDataAfter() {
        return terms instanceof Terms.Valid valid ? valid.noDataAfter() : 0;
    }

    private Draft noData(Happening.Due due) {
        Draft draft = draft();
        if (noDataAfter() == 0 || !rule.isEnabled() || alarm.has(Alarm.NO_DATA_SINCE)) {
            return draft;
        }
        long missing = due.lastUpdate() + noDataAfter();
        if (missing > now) {
            return draft.timer(Timer.NO_DATA, missing);
        }
        String last = due.present().map(Value::text).orElse(null);
        draft.event(AlarmEvent.Type.NO_DATA, last);
        if (!alarm.isActive() && !silenced) {
            draft.raise(last)
                    .set(Alarm.BY_NO_DATA, "1")
                    .event(AlarmEvent.Type.TRIGGERED, last, "reason", "no_data");
        }
        return draft.set(Alarm.NO_DATA_SINCE, Long.toString(due.lastUpdate()));
    }

    private Draft shelvingIsOver() {
        Draft draft = draft();
        if (!alarm.isShelved() || alarm.isShelvedOnce()) {
            return draft;
        }
        long until = alarm.number(Alarm.SHELVED_UNTIL) * 1000;
        return until > now ? draft.timer(Timer.SHELVING, until) : draft.unshelve(null);
    }

    private Draft acknowledgementIsOver() {
        Draft draft = draft();
        if (!alarm.isActive()
                || !alarm.isAcknowledged()
                || !(terms instanceof Terms.Valid valid)
                || valid.reAlarmAfter() == 0) {
            return draft;
        }
        long until = alarm.number(Alarm.ACK_TIME) * 1000 + valid.reAlarmAfter();
        return until > now
                ? draft.timer(Timer.RE_ALARM, until)
                : draft.set(Alarm.ACKNOWLEDGED, "0")
                        .remove(Alarm.ACK_TIME, Alarm.ACKNOWLEDGED_BY, Alarm.ACK_NOTE)
                        .event(AlarmEvent.Type.RE_ALARMED, alarm.text(Alarm.CURRENT_VALUE));
    }

    private Draft escalated() {
        Draft draft = draft();
        if (!alarm.isActive() || !(terms instanceof Terms.Valid valid)) {
            return draft;
        }
        int done = (int) alarm.number(Alarm.ESCALATED);
        long triggered = alarm.number(Alarm.TRIGGERED_AT) * 1000;
        Optional<Escalation.Step> next = valid.escalation().after(done);
        if (next.isEmpty()) {
            return draft;
        }
        if (triggered + next.get().after() > now) {
            return draft.timer(Timer.ESCALATION, triggered + next.get().after());
        }
        draft.set(Alarm.ESCALATED, Integer.toString(done + 1));
        if (!next.get().unlessAcknowledged() || !alarm.isAcknowledged()) {
            draft.set(AlarmRule.LEVEL, next.get().to().word())
                    .event(AlarmEvent.Type.ESCALATED, alarm.text(Alarm.CURRENT_VALUE));
        }
        valid.escalation()
                .after(done + 1)
                .ifPresent(step -> draft.timer(Timer.ESCALATION, triggered + step.after()));
        return draft;
    }

    // ---------------------------------------------------------------- people

    private boolean wasRaised() {
        return alarm.isActive() || alarm.has(Alarm.ACKNOWLEDGED) || alarm.has(Alarm.TRIGGERED_AT);
    }

    private Step acknowledged(Happening.Acknowledge by) {
        if (!wasRaised()) {
            return NEVER_RAISED;
        }
        boolean waits = alarm.isActive() || alarm.waitsForAcknowledgement();
        if (alarm.isAcknowledged() || !waits) {
            return moves(draft());
        }
        Draft draft =
                draft().set(Alarm.ACKNOWLEDGED, "1")
                        .set(Alarm.ACK_TIME, Texts.seconds(now))
                        .set(Alarm.ACKNOWLEDGED_BY, by.user())
                        .set(Alarm.ACK_NOTE, by.note())
                        .event(
                                AlarmEvent.Type.ACKNOWLEDGED,
                                alarm.text(Alarm.CURRENT_VALUE),
                                "user",
                                by.user(),
                                "note",
                                by.note());
        if (alarm.isActive() && terms instanceof Terms.Valid valid && valid.reAlarmAfter() > 0) {
            draft.timer(Timer.RE_ALARM, now + valid.reAlarmAfter());
        }
        return moves(draft);
    }

    private Step shelved(Happening.Shelve by) {
        if (!rule.isEnabled()) {
            return new Step.NotNow("The rule is disabled.");
        }
        // Told in whole seconds; it must not end before the time that is told.
        long until = (now + by.millis() + 999) / 1000;
        Draft draft =
                draft().remove(Alarm.SHELVED_BY, Alarm.SHELVE_REASON)
                        .set(
                                Alarm.SHELVED_UNTIL,
                                by.millis() == 0 ? Alarm.ONCE : Long.toString(until))
                        .set(Alarm.SHELVED_BY, by.user())
                        .set(Alarm.SHELVE_REASON, by.reason())
                        .event(
                                AlarmEvent.Type.SHELVED,
                                null,
                                "user",
                                by.user(),
                                "note",
                                by.reason());
        return moves(
                by.millis() == 0
                        ? draft.cancel(Timer.SHELVING)
                        : draft.timer(Timer.SHELVING, until * 1000));
    }

    private Step reset(Happening.Reset by) {
        if (!alarm.exists()) {
            return NEVER_RAISED;
        }
        if (!alarm.isActive()) {
            return new Step.NotNow("The alarm is not active.");
        }
        Optional<Value> present = by.present();
        if (present.isPresent()
                && terms instanceof Terms.Valid valid
                && !valid.condition().operator().looksBack()
                && valid.condition().keeps(sample(present.get()))) {
            return new Step.NotNow("The condition still holds.");
        }
        String value = present.map(Value::text).orElse(null);
        return moves(
                draft().event(AlarmEvent.Type.RESET, value, "user", by.user())
                        .end(value, MANUAL, AlarmEvent.Type.CLEARED, by.user()));
    }

    private Step clearedByHand(Happening.ClearByHand by) {
        if (!alarm.exists()) {
            return NEVER_RAISED;
        }
        if (!alarm.isActive()) {
            return moves(draft());
        }
        Draft draft = draft().end(null, MANUAL, AlarmEvent.Type.CLEARED, by.user());
        if (by.holdoff() > 0) {
            draft.set(Alarm.HOLDOFF_MS, Long.toString(now + by.holdoff()))
                    .timer(Timer.HOLDOFF, now + by.holdoff());
        }
        return moves(draft);
    }

    private Step raisedByHand(Happening.RaiseByHand by) {
        if (!rule.isEnabled()) {
            return new Step.NotNow("The rule is disabled.");
        }
        if (alarm.isActive()) {
            return moves(draft().set(Alarm.CURRENT_VALUE, by.value()));
        }
        return moves(
                draft().raise(by.value())
                        .event(
                                AlarmEvent.Type.TRIGGERED,
                                by.value(),
                                "user",
                                by.user(),
                                "note",
                                by.note()));
    }

    // ---------------------------------------------------------------- the rule

    private Draft disabled(@Nullable String user) {
        Draft draft = draft().enabled(false);
        if (!alarm.exists()) {
            return draft;
        }
        draft.notPending().cancel(Timer.NO_DATA).remove(Alarm.NO_DATA_SINCE);
        if (alarm.isActive()) {
            draft.end(null, RULE_DISABLED, AlarmEvent.Type.CLEARED_BY_DISABLE, user);
        }
        // Its state changes even if nothing else does.
        return draft.set(Alarm.UPDATED_AT, Texts.seconds(now));
    }

    private Draft enabled() {
        Draft draft = draft().enabled(true);
        return alarm.exists() ? draft.set(Alarm.UPDATED_AT, Texts.seconds(now)) : draft;
    }

    private Draft moved() {
        Draft draft =
                draft().notPending()
                        .notClearing()
                        .remove(Alarm.NO_DATA_SINCE, Alarm.LAST_VALUE, Alarm.LAST_MS);
        if (alarm.isActive()) {
            draft.end(null, SOURCE_REMOVED, AlarmEvent.Type.CLEARED, null);
        }
        if (alarm.exists()) {
            draft.set(AlarmRule.SOURCE_KEY, rule.sourceKey()).set(AlarmRule.FIELD, rule.field());
        }
        return draft;
    }
}
