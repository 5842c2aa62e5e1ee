package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.ALARMS;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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

    private final Keyspace keyspace;
    private final Bell bell = new Bell();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<Watchlist, Set<Watch>> waiting = new ConcurrentHashMap<>();
    private final Thread writer = Thread.ofVirtual().name("alarm-values").unstarted(this::work);

    LateValues(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    void start() {
        writer.start();
    }

    void later(Watchlist list, Watch watch) {
        Set<Watch> some = waiting.computeIfAbsent(list, key -> ConcurrentHashMap.newKeySet());
        if (some.isEmpty() & some.add(watch)) {
            bell.ringIn(Evaluation.UPDATE_PAUSE);
        }
    }

    private void work() {
        try {
            while (closed.getCount() > 0) {
                bell.await(Duration.ofSeconds(5));
                for (Watchlist list : List.copyOf(waiting.keySet())) {
                    Set<Watch> some = waiting.remove(list);
                    if (some != null) {
                        write(list, new ArrayList<>(some));
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Watchlist list, List<Watch> some) {
        for (int from = 0; from < some.size(); from += MOST) {
            Commit commit = keyspace.commit(list.home);
            boolean any = false;
            list.lock.lock();
            try {
                AlarmWrites.guarded(commit, list.home, list.generation(), false);
                for (Watch each : some.subList(from, Math.min(some.size(), from + MOST))) {
                    any |= add(commit, each);
                }
                if (!any || !list.isCurrent()) {
                    continue;
                }
            } finally {
                list.lock.unlock();
            }
            // One that is refused was overtaken by a change, which has the value too.
            commit.run();
        }
    }

    private static boolean add(Commit commit, Watch watch) {
        String value = watch.takeUnwritten();
        if (value == null || !watch.isActive()) {
            return false;
        }
        commit.setFields(ALARMS, watch.rule().id(), Map.of(Alarm.CURRENT_VALUE, value));
        Map<String, String> fields = new HashMap<>(watch.alarm().fields());
        fields.put(Alarm.CURRENT_VALUE, value);
        Alarm after = new Alarm(watch.rule().id(), fields);
        watch.become(AlarmWrites.stored(watch.storedRule(), after));
        return true;
    }

    @Override
    public void close() {
        closed.countDown();
        bell.ring();
    }
}
