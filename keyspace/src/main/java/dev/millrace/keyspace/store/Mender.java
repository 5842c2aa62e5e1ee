package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.outcome.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Repairs one entry at a time. A repair is itself a commit with the check "the value is what I
 * read", so it can never undo what a concurrent writer has just done right. Thread-safe.
 */
public final class Mender {
    /** How long an entry must have led to nothing before a reader takes it away. */
    private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MOST_SUSPECTS = 1024;

    private final Ground ground;
    private final ReentrantLock lock = new ReentrantLock();

    /** Entries that led to nothing when they were first seen, the oldest first. */
    private final Map<Suspect, Long> suspects = new LinkedHashMap<>();

    private record Suspect(Place place, Entry entry) {}

    public Mender(Ground ground) {
        this.ground = ground;
    }

    /**
     * An entry that its value does not ask for: corrected if it asks for another score, else
     * removed.
     */
    public <E> Outcome<Long> mend(
            Layout<E> layout, Place place, String id, @Nullable Stored<E> stored, Entry wrong) {
        Basket commit = ground.basket(place);
        if (stored == null) {
            String key = layout.mapping().keyOf(id);
            // A unique field may be reserved for one that is just coming from another shard.
            return commit.add(Operation.ABSENT, key)
                    .add(Operation.ABSENT, Homes.MOVING.key(key))
                    .leave(wrong)
                    .run();
        }
        List<Entry> right = layout.mapping().entries(stored.value());
        Entry wanted =
                right.stream()
                        .filter(entry -> entry.key().equals(wrong.key()))
                        .filter(entry -> !(entry instanceof Entry.Unique))
                        .findFirst()
                        .orElse(null);
        commit.same(layout, layout.mapping().keyOf(id), stored.raw());
        return (wanted == null ? commit.leave(wrong) : commit.enter(wanted)).run();
    }

    /**
     * The same for a reader that comes across it. What leads to nothing is taken away only if it
     * did so a while ago too: others may enter an id first and write its value then.
     */
    <E> void mendWhatWasRead(
            Layout<E> layout, Place place, String id, @Nullable Stored<E> stored, Entry wrong) {
        if (stored != null || wasSeenBefore(new Suspect(place, wrong))) {
            mend(layout, place, id, stored, wrong);
        }
    }

    private boolean wasSeenBefore(Suspect suspect) {
        long now = System.nanoTime();
        lock.lock();
        try {
            Long before = suspects.putIfAbsent(suspect, now);
            if (before == null) {
                if (suspects.size() > MOST_SUSPECTS) {
                    suspects.remove(suspects.keySet().iterator().next());
                }
                return false;
            }
            boolean longAgo = now - before >= APART_NANOS;
            if (longAgo) {
                suspects.remove(suspect);
            }
            return longAgo;
        } finally {
            lock.unlock();
        }
    }

    /** An entry that leads to a value of another kind. */
    public <E> Outcome<Long> remove(
            Layout<E> layout, Place place, String id, Raw raw, Entry otherKind, Entry wrong) {
        return ground.basket(place)
                .same(layout, layout.mapping().keyOf(id), raw)
                .present(otherKind)
                .leave(wrong)
                .run();
    }

    /** Writes entries that a value asks for and that are missing, if these others are there. */
    public <E> Outcome<Long> enter(
            Layout<E> layout, Stored<E> stored, List<Entry> others, List<Entry> missing) {
        Basket commit =
                ground.basket(stored.place())
                        .same(layout, layout.mapping().keyOf(stored.id()), stored.raw());
        others.forEach(commit::present);
        missing.forEach(commit::enter);
        return commit.run();
    }
}
