package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmChanges;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people do to alarms. Thread-safe. */
final class AlarmsService {
    private final AlarmsKept kept;
    private final AlarmsSettings settings;

    AlarmsService(AlarmsKept kept, AlarmsSettings settings) {
        this.kept = kept;
        this.settings = settings;
    }

    /** One that was raised at least once. */
    Done<Alarm> get(String id) {
        return kept.reads()
                .alarm(id)
                .filter(AlarmsService::wasRaised)
                .<Done<Alarm>>map(Done.With::new)
                .orElseGet(() -> unknown(id));
    }

    private static boolean wasRaised(Alarm alarm) {
        return alarm.isActive()
                || alarm.has(Alarm.TRIGGERED_AT)
                || alarm.has(Alarm.CLEARED_AT)
                || alarm.isShelved();
    }

    /** Whatever there is of it. */
    Optional<Alarm> find(String id) {
        return kept.reads().alarm(id).filter(AlarmsService::wasRaised);
    }

    /**
     * Those that are active, or all that were ever raised.
     *
     * @param source if given, at least those of this source
     */
    List<Alarm> all(boolean activeOnly, Optional<String> source) {
        return activeOnly
                ? kept.reads().active()
                : kept.reads().alarms(source).stream().filter(AlarmsService::wasRaised).toList();
    }

    /** Those of these that were ever raised. */
    List<Alarm> some(List<String> ids) {
        return kept.reads().alarms(ids).stream().filter(AlarmsService::wasRaised).toList();
    }

    Done<Alarm> acknowledge(String id, @Nullable String user, @Nullable String note) {
        return done(id, kept.changes().change(id, new Happening.Acknowledge(user, note)));
    }

    /** What became of many. */
    record Acknowledged(List<String> acknowledged, Map<String, Refused> failed) {}

    Acknowledged acknowledge(List<String> ids, @Nullable String user, @Nullable String note) {
        List<String> well = new ArrayList<>();
        Map<String, Refused> failed = new LinkedHashMap<>();
        for (String id : ids) {
            try {
                switch (acknowledge(id, user, note)) {
                    case Done.With<Alarm> with -> well.add(id);
                    case Done.Not<Alarm>(Refused why) -> failed.put(id, why);
                }
            } catch (RedisException e) {
                failed.put(
                        id, Refused.of(EmsCode.STORE_UNAVAILABLE, String.valueOf(e.getMessage())));
            }
        }
        return new Acknowledged(well, failed);
    }

    /**
     * Keeps an alarm from being shown.
     *
     * @param seconds for so long; 0 until it ends the next time
     */
    Done<Alarm> shelve(String id, double seconds, @Nullable String user, @Nullable String reason) {
        double most = settings.longestShelving().toMillis() / 1000.0;
        if (!(seconds >= 0 && seconds <= most)) {
            return RuleReader.invalid(
                    "duration must be a number of seconds from 0 to %.0f; 0 shelves until the alarm"
                                    .formatted(most)
                            + " ends.");
        }
        long millis = Math.round(seconds * 1000);
        return done(id, kept.changes().change(id, new Happening.Shelve(millis, user, reason)));
    }

    Done<Alarm> unshelve(String id, @Nullable String user) {
        return done(id, kept.changes().change(id, new Happening.Unshelve(user)));
    }

    Done<Alarm> reset(String id, @Nullable String user) {
        return done(
                id, kept.changes().changeWithValue(id, value -> new Happening.Reset(user, value)));
    }

    Done<Alarm> clear(String id, @Nullable String user) {
        long holdoff = settings.manualClearHoldoff().toMillis();
        return done(id, kept.changes().change(id, new Happening.ClearByHand(user, holdoff)));
    }

    /** Raises an alarm by hand; one of a rule says what its rule says. */
    Done<Alarm> raise(AlarmRule like, Happening.RaiseByHand by) {
        if (kept.reads().rule(like.id()).isEmpty() && kept.reads().alarm(like.id()).isEmpty()) {
            Optional<Alarm> raised = kept.changes().raise(like, by);
            if (raised.isPresent()) {
                return new Done.With<>(raised.get());
            }
        }
        return done(like.id(), kept.changes().change(like.id(), by));
    }

    private static Done<Alarm> done(String id, AlarmChanges.Changed changed) {
        return switch (changed) {
            case AlarmChanges.Changed.Done done -> new Done.With<>(done.alarm());
            case AlarmChanges.Changed.NotNow(String why) ->
                    new Done.Not<>(Refused.of(EmsCode.INVALID_STATE, why));
            case AlarmChanges.Changed.Absent() -> unknown(id);
        };
    }

    private static <T> Done<T> unknown(String id) {
        return new Done.Not<>(
                Refused.of(EmsCode.ALARM_NOT_FOUND, "There is no alarm %s.".formatted(id)));
    }
}
