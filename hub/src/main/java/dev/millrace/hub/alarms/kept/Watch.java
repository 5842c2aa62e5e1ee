package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Condition;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.keyspace.commit.Stored;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/**
 * A rule and its alarm as this hub knows them. What changes is changed under the lock of its
 * watchlist; that others read it late does no harm, because a commit says what it relied on.
 */
final class Watch {
    private final Stored<AlarmRule> rule;
    private final Terms terms;

    /** Where nothing but the condition decides; null otherwise. */
    private final @Nullable Condition alone;

    private volatile @Nullable Stored<Alarm> alarm;
    private volatile boolean active;
    private boolean settled;

    /** The last value that was not written, because one was written just before. */
    private @Nullable String unwritten;

    private volatile long seenAt;
    private long writtenAt;
    private boolean written;

    Watch(Stored<AlarmRule> rule, @Nullable Stored<Alarm> alarm) {
        this.rule = rule;
        this.terms = Terms.of(rule.value());
        boolean plain =
                terms instanceof Terms.Valid valid && valid.quiet() && rule.value().isEnabled();
        this.alone = plain && terms instanceof Terms.Valid valid ? valid.condition() : null;
        become(alarm);
    }

    void become(@Nullable Stored<Alarm> now) {
        alarm = now;
        active = now != null && now.value().isActive();
        settled = now == null || now.value().isSettled();
        unwritten = null;
    }

    AlarmRule rule() {
        return rule.value();
    }

    Stored<AlarmRule> storedRule() {
        return rule;
    }

    Terms terms() {
        return terms;
    }

    @Nullable Stored<Alarm> storedAlarm() {
        return alarm;
    }

    Alarm alarm() {
        Stored<Alarm> known = alarm;
        return known == null ? Alarm.none(rule.id()) : known.value();
    }

    boolean isActive() {
        return active;
    }

    /** A value came, for rules that notice when none does. */
    void seen(InstantSource clock) {
        if (terms instanceof Terms.Valid valid && valid.noDataAfter() > 0) {
            seenAt = clock.millis();
        }
    }

    /** When this hub saw a value the last time, in ms; 0 for never. */
    long seenAt() {
        return seenAt;
    }

    /** The way of nearly all values: nothing is raised, and nothing is to be. */
    boolean isLeftAlone(double number, boolean good) {
        if (alone == null || active || !settled) {
            return false;
        }
        return !good
                || Double.isNaN(number)
                || !alone.raises(new Condition.Sample(number, Double.NaN, 0));
    }

    /** Whether a newer value of an alarm that stays raised is to be written now. */
    boolean mayWrite(long nanos, long pause) {
        if (written && nanos - writtenAt < pause) {
            return false;
        }
        written = true;
        writtenAt = nanos;
        return true;
    }

    boolean hasWritten() {
        return written;
    }

    void keepBack(String value) {
        unwritten = value;
    }

    @Nullable String takeUnwritten() {
        String value = unwritten;
        unwritten = null;
        return value;
    }
}
