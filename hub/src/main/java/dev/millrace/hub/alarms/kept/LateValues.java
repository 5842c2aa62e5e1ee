package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Values of raised alarms that came so soon after another that they were not written at once: the
 * last of them is written a moment later. What is lost with the hub is not the value itself, which
 * was stored with its point.
 */
final class LateValues implements AutoCloseable {
    /** In one commit; more come in the next. */
    private static final int MOST = 500;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final Logger log = LoggerFactory.getLogger(LateValues.class);

    private final Keyspace keyspace;
    private final Watchlists lists;
    private final Bell bell = new Bell();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<Watchlist, Set<Watch>> waiting = new ConcurrentHashMap<>();
    private final Thread writer = Thread.ofVirtual().name("alarm-values").unstarted(this::work);

    LateValues(Keyspace keyspace, Watchlists lists) {
        this.keyspace = keyspace;
        this.lists = lists;
    }

    void start() {
        writer.start();
    }

    /** Called under the lock of the list. */
    void later(Watchlist list, Watch watch) {
        boolean first = !waiting.containsKey(list);
        waiting.computeIfAbsent(list, key -> ConcurrentHashMap.newKeySet()).add(watch);
        if (first) {
            bell.ringIn(Evaluation.UPDATE_PAUSE);
        }
    }

    private void work() {
        try {
            while (closed.getCount() > 0) {
                bell.await(LONGEST_WAIT);
                for (Watchlist list : List.copyOf(waiting.keySet())) {
                    write(list);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Watchlist list) {
        Map<String, String> values = taken(list);
        try {
            List<String> ids = List.copyOf(values.keySet());
            for (int from = 0; from < ids.size(); from += MOST) {
                write(list, ids.subList(from, Math.min(ids.size(), from + MOST)), values);
            }
        } catch (RedisException e) {
            log.debug("Values of alarms were not written again. reason={}", e.getMessage());
        }
    }

    private Map<String, String> taken(Watchlist list) {
        Map<String, String> values = new LinkedHashMap<>();
        list.lock.lock();
        try {
            Set<Watch> some = waiting.remove(list);
            for (Watch each : some == null ? Set.<Watch>of() : some) {
                String value = each.takeUnwritten();
                if (value != null) {
                    values.put(each.rule().id(), value);
                }
            }
        } finally {
            list.lock.unlock();
        }
        return values;
    }

    /** The list may be another one by now; where it has a newer value, that one stays. */
    private void write(Watchlist before, List<String> ids, Map<String, String> values) {
        Watchlist list = lists.of(before.home);
        Commit commit = keyspace.commit(list.home);
        boolean any = false;
        list.lock.lock();
        try {
            AlarmWrites.guarded(commit, list.home, list.generation(), false);
            for (String id : ids) {
                Watch watch = list.of(id);
                boolean newer = list != before && watch != null && watch.hasWritten();
                if (watch != null && watch.isActive() && !newer) {
                    any = true;
                    add(commit, watch, values.getOrDefault(id, ""));
                }
            }
        } finally {
            list.lock.unlock();
        }
        if (any) {
            // One that is refused was overtaken by a change, which has a newer value.
            commit.run();
        }
    }

    private static void add(Commit commit, Watch watch, String value) {
        commit.setFields(ALARMS, watch.rule().id(), Map.of(Alarm.CURRENT_VALUE, value));
        Map<String, String> fields = new HashMap<>(watch.alarm().fields());
        fields.put(Alarm.CURRENT_VALUE, value);
        Alarm after = new Alarm(watch.rule().id(), fields);
        watch.become(AlarmWrites.stored(watch.storedRule(), after));
    }

    @Override
    public void close() {
        closed.countDown();
        bell.ring();
    }
}
