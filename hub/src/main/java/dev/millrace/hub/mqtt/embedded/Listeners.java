package dev.millrace.hub.mqtt.embedded;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The queues that get something of what is sent to some topics: of clients that listen, alone or
 * with a group, and of those that are away and have a session. There may be one too many for a
 * moment, and never one too few. Thread-safe.
 */
public final class Listeners {
    private final String topics;
    private final Set<Long> queues = new HashSet<>(); // guarded by the roster's lock
    private final List<Runnable> told = new CopyOnWriteArrayList<>();
    private volatile boolean some;

    Listeners(String topics) {
        this.topics = topics;
    }

    /** Whether there is any. */
    public boolean areThere() {
        return some;
    }

    /** Runs this whenever there is one more, on a thread of the broker that must not wait. */
    public void whenOneComes(Runnable run) {
        told.add(run);
    }

    /** With the roster's lock. */
    void came(long queue, String filter) {
        if (overlap(filter, topics) && queues.add(queue)) {
            some = true;
            told.forEach(Runnable::run);
        }
    }

    /** With the roster's lock. */
    void left(long queue) {
        if (queues.remove(queue)) {
            some = !queues.isEmpty();
        }
    }

    /** Whether there can be a topic that both filters match. */
    static boolean overlap(String one, String other) {
        String[] left = one.split("/", -1);
        String[] right = other.split("/", -1);
        for (int i = 0; i < Math.max(left.length, right.length); i++) {
            if (isAll(left, i) || isAll(right, i)) {
                return true;
            }
            if (i >= left.length || i >= right.length || !meet(left[i], right[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAll(String[] levels, int i) {
        return i < levels.length && levels[i].equals("#");
    }

    private static boolean meet(String one, String other) {
        return one.equals(other) || one.equals("+") || other.equals("+");
    }
}
