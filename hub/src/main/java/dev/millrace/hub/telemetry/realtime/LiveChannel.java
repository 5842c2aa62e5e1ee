package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.telemetry.kept.PointType;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The present values of a channel that somebody watches, and the number of the last change. Facts
 * that come while the stored values are being read are put over them: so what is known is exactly
 * what the feed has told so far, and whoever begins at a version hears all that follows it.
 * Thread-safe.
 */
final class LiveChannel {
    /** Of which values come; the others are what was ordered. */
    static final List<PointType> TYPES = List.of(PointType.T, PointType.S);

    private final int id;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<PointType, NavigableMap<String, PointValue>> points =
            new EnumMap<>(PointType.class);
    private final Map<PointType, Whole> wholes = new EnumMap<>(PointType.class);
    private final CompletableFuture<Boolean> loaded = new CompletableFuture<>();
    private long version;

    /** Those who are reading the stored values now. */
    private final List<Load> loads = new ArrayList<>(1);

    /** Whether the stored values were read once. */
    private boolean known;

    /** How many subscriptions there are; guarded by whoever keeps all channels. */
    int users;

    /**
     * One reading of the stored values, and what was told since it began: the newest of each point.
     */
    static final class Load {
        private final Map<PointType, Map<String, PointValue>> told = new EnumMap<>(PointType.class);
    }

    /** All points of a type, as JSON, at or after a version. */
    private record Whole(long version, String text) {}

    LiveChannel(int id) {
        this.id = id;
        for (PointType type : TYPES) {
            points.put(type, new TreeMap<>(PointValue.ORDER));
        }
    }

    int id() {
        return id;
    }

    /** Whether there is such a channel, once that is known. */
    CompletableFuture<Boolean> loaded() {
        return loaded;
    }

    /** The stored values will be read (again). */
    Load beginLoad() {
        Load load = new Load();
        lock.lock();
        try {
            loads.add(load);
        } finally {
            lock.unlock();
        }
        return load;
    }

    /** They could not be read. */
    void giveUp(Load load) {
        lock.lock();
        try {
            loads.remove(load);
        } finally {
            lock.unlock();
        }
    }

    /** Something was written; tells what has changed by it. In the order of the feed. */
    void hear(ValueFact fact, Consumer<Change> changed) {
        lock.lock();
        try {
            for (Load load : loads) {
                Map<String, PointValue> newest =
                        load.told.computeIfAbsent(fact.type(), each -> new LinkedHashMap<>());
                fact.values().forEach(value -> newest.put(value.point(), value));
            }
            if (known) {
                apply(fact.type(), fact.values(), changed);
            }
        } finally {
            lock.unlock();
        }
    }

    /** These are the stored values; what was told since their reading began is newer. */
    void endLoad(Load load, Map<PointType, List<PointValue>> stored, Consumer<Change> changed) {
        lock.lock();
        try {
            loads.remove(load);
            known = true;
            for (PointType type : TYPES) {
                Map<String, PointValue> all = new LinkedHashMap<>();
                stored.getOrDefault(type, List.of())
                        .forEach(value -> all.put(value.point(), value));
                all.putAll(load.told.getOrDefault(type, Map.of()));
                apply(type, all.values(), changed);
            }
        } finally {
            lock.unlock();
        }
    }

    private void apply(PointType type, Collection<PointValue> values, Consumer<Change> changed) {
        NavigableMap<String, PointValue> all = points.get(type);
        if (all == null) {
            return;
        }
        List<Change.Step> steps = new ArrayList<>(values.size());
        for (PointValue value : values) {
            PointValue before = all.put(value.point(), value);
            if (!value.saysTheSame(before)) {
                steps.add(new Change.Step(before, value));
            }
        }
        if (!steps.isEmpty()) {
            version++;
            changed.accept(new Change(this, type, version, steps));
        }
    }

    /** What there is, and where it stands; no change passes between that and the step. */
    interface Beginning {
        void at(long version, List<String> updates);
    }

    void beginAt(Set<PointType> types, Beginning step) {
        lock.lock();
        try {
            List<String> updates = new ArrayList<>();
            for (PointType type : types) {
                if (size(type) > 0) {
                    updates.add(whole(type));
                }
            }
            step.at(version, updates);
        } finally {
            lock.unlock();
        }
    }

    /** The data of a {@code data_update} with all points of a type. */
    String whole(PointType type) {
        lock.lock();
        try {
            Whole whole = wholes.get(type);
            NavigableMap<String, PointValue> all = points.get(type);
            if (all != null && (whole == null || whole.version < version)) {
                whole = new Whole(version, Wording.update(id, type, all.values()));
                wholes.put(type, whole);
            }
            return whole == null ? "" : whole.text;
        } finally {
            lock.unlock();
        }
    }

    int size(PointType type) {
        lock.lock();
        try {
            NavigableMap<String, PointValue> all = points.get(type);
            return all == null ? 0 : all.size();
        } finally {
            lock.unlock();
        }
    }
}
