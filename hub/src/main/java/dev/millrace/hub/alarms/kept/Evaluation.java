package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Lifecycle;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.hub.alarms.logic.Transition;
import dev.millrace.hub.telemetry.Contributor;
import dev.millrace.hub.telemetry.Quality;
import dev.millrace.hub.telemetry.Value;
import dev.millrace.hub.telemetry.Written;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.outcome.Outcome;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What values do to alarms: every write of values carries the transitions it causes, in its own
 * commit. A value that changes nothing costs a comparison here and one check there, that the rules
 * are still the ones it was compared with.
 */
public final class Evaluation implements Contributor {
    /** The value of an alarm that stays raised is written at most once in this time. */
    static final Duration UPDATE_PAUSE = Duration.ofMillis(100);

    private final Watchlists lists;
    private final AlarmWrites writes;
    private final LateValues late;
    private final InstantSource clock;

    Evaluation(Watchlists lists, AlarmWrites writes, LateValues late, InstantSource clock) {
        this.lists = lists;
        this.writes = writes;
        this.late = late;
        this.clock = clock;
    }

    @Override
    public Set<String> watched(String source) {
        return lists.watched(source);
    }

    @Override
    public boolean isPrompt(String source) {
        return lists.isAtHand(Sources.home(source));
    }

    @Override
    public Set<String> sources() {
        return lists.sources();
    }

    @Override
    public Contribution contribute(Written written, Commit commit) {
        String home = Sources.home(written.source());
        lists.makeWay(home);
        while (true) {
            Watchlist list = lists.of(home);
            list.lock.lock();
            try {
                if (list.isCurrent()) {
                    return contribute(written, commit, list);
                }
            } catch (RuntimeException | Error e) {
                list.outdate(); // it may know of changes that no commit carries
                throw e;
            } finally {
                list.lock.unlock();
            }
        }
    }

    private Contribution contribute(Written written, Commit commit, Watchlist list) {
        Map<String, List<Watch>> watched = list.fieldsOf(written.source());
        Change change = new Change(list);
        if (!watched.isEmpty()) {
            for (Value value : written.values()) {
                for (Watch watch : watched.getOrDefault(value.field(), List.of())) {
                    change.look(watch, value, written, commit);
                }
            }
        }
        list.rely(commit, change.changes);
        return change;
    }

    /** What one write leads to. */
    private final class Change implements Contribution {
        private final Watchlist list;
        private List<String> triggered = List.of();
        private List<String> cleared = List.of();
        private boolean changes;

        Change(Watchlist list) {
            this.list = list;
        }

        void look(Watch watch, Value value, Written written, Commit commit) {
            boolean good = value.quality() == Quality.GOOD;
            watch.seen(clock);
            if (watch.isLeftAlone(value.number(), good)) {
                return;
            }
            long now = clock.millis();
            boolean silenced = lists.isActive(watch.rule().suppressedBy());
            Transition transition =
                    new Lifecycle(watch.rule(), watch.terms(), watch.alarm(), silenced, now)
                            .of(
                                    new Happening.Value(
                                            value.text(), value.number(), good, written.initial()));
            if (transition.isNone()) {
                return;
            }
            if (transition.noteworthy() || watch.storedAlarm() == null) {
                happens(watch, transition, commit, written.origin(), now);
            } else {
                isNewer(watch, transition, commit);
            }
        }

        private void happens(
                Watch watch,
                Transition transition,
                Commit commit,
                Supplier<Origin> origin,
                long now) {
            Alarm after =
                    writes.add(commit, watch.rule(), watch.storedAlarm(), transition, origin, now);
            watch.become(AlarmWrites.stored(watch.storedRule(), after));
            changes = true;
            if (transition.triggers()) {
                triggered = with(triggered, watch.rule().id());
            } else if (transition.clears()) {
                cleared = with(cleared, watch.rule().id());
                if (lists.silencesOthers(watch.rule().id())) {
                    writes.release(commit, watch.rule(), now);
                }
            }
        }

        /** Only a newer value of an alarm that stays as it is: no other cache need know. */
        private void isNewer(Watch watch, Transition transition, Commit commit) {
            Map<String, String> set = new HashMap<>(transition.set());
            String value = set.get(Alarm.CURRENT_VALUE);
            if (!watch.mayWrite(System.nanoTime(), UPDATE_PAUSE.toNanos())) {
                if (value != null) {
                    watch.keepBack(value);
                    late.later(list, watch);
                }
                return;
            }
            commit.setFields(ALARMS, watch.rule().id(), set);
            watch.become(AlarmWrites.stored(watch.storedRule(), transition.after()));
        }

        private List<String> with(List<String> some, String one) {
            List<String> all = new ArrayList<>(some);
            all.add(one);
            return all;
        }

        @Override
        public List<String> triggered() {
            return triggered;
        }

        @Override
        public List<String> cleared() {
            return cleared;
        }

        @Override
        public void ended(Outcome<Long> outcome) {
            if (!outcome.isStored()) {
                list.outdate();
            }
        }
    }
}
