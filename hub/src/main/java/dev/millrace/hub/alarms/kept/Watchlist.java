package dev.millrace.hub.alarms.kept;

import dev.millrace.keyspace.commit.Commit;

import org.jspecify.annotations.Nullable;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rules of one home (a device channel, or the site) and their alarms, as of one generation. A
 * commit that relies on it says so by that number, and is refused if it is not the present one;
 * then all of this is thrown away and read again.
 *
 * <p>It moves on when a commit is put together, not when it is done: so the next write of the same
 * channel need not wait. If the commit fails, so do those behind it, and they are tried again. For
 * that each takes a generation by lot: were they counted, others could count up to the very number
 * that a commit behind a failed one waits for, and it would pass although what it builds on never
 * came to be.
 */
final class Watchlist {
    /** Far below what a counter of the engine holds. */
    private static final long GENERATIONS = 100_000_000_000_000L;

    final String home;
    final ReentrantLock lock = new ReentrantLock();

    /** Of the lock. */
    private long generation;

    /** Of the lock: false once it is known to be out of date. */
    private boolean current = true;

    /** The commit put together last, and whether it changes something. Of the lock. */
    private WeakReference<Commit> last = new WeakReference<>(null);

    private boolean moved;

    private final Map<String, Watch> byRule;
    private final Map<String, Map<String, List<Watch>>> bySource = new HashMap<>();

    Watchlist(String home, long generation, Collection<Watch> watches) {
        this.home = home;
        this.generation = generation;
        this.byRule = HashMap.newHashMap(watches.size());
        List<Watch> sorted = new ArrayList<>(watches);
        sorted.sort(Comparator.comparing(each -> each.rule().id()));
        for (Watch each : sorted) {
            byRule.put(each.rule().id(), each);
            String source = each.rule().sourceKey();
            String field = each.rule().field();
            if (source != null && field != null) {
                bySource.computeIfAbsent(source, key -> new HashMap<>())
                        .computeIfAbsent(field, key -> new ArrayList<>(1))
                        .add(each);
            }
        }
    }

    long generation() {
        return generation;
    }

    /**
     * A commit relies on this list, once however often values are put into it; and if it changes
     * something, the list is the one after it.
     */
    void rely(Commit commit, boolean changes) {
        boolean again = commit == last.get();
        if (!again) {
            commit.generationIs(AlarmsLayouts.generation(home), generation);
            last = new WeakReference<>(commit);
            moved = false;
        }
        if (changes && !moved) {
            long next = ThreadLocalRandom.current().nextLong(1, GENERATIONS);
            commit.increment(AlarmsLayouts.generation(home), next - generation);
            generation = next;
            moved = true;
        }
    }

    boolean isCurrent() {
        return current;
    }

    void outdate() {
        lock.lock();
        try {
            current = false;
        } finally {
            lock.unlock();
        }
    }

    @Nullable Watch of(String ruleId) {
        return byRule.get(ruleId);
    }

    Collection<Watch> all() {
        return byRule.values();
    }

    /** In the order of the ids of the rules. */
    Map<String, List<Watch>> fieldsOf(String source) {
        return bySource.getOrDefault(source, Map.of());
    }

    Set<String> sources() {
        return bySource.keySet();
    }
}
