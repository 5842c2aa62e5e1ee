package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Repairs one entry at a time. A repair is itself a commit with the check "the value is what I
 * read", so it can never undo what a concurrent writer has just done right.
 */
public final class Mender {
    private final Ground ground;

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
            String key = layout.keyOf(id);
            // A unique field may be reserved for one that is just coming from another shard.
            return commit.add(Operation.ABSENT, key)
                    .add(Operation.ABSENT, Homes.MOVING.key(key))
                    .leave(wrong)
                    .run();
        }
        List<Entry> right = layout.entries(stored.value());
        Entry wanted =
                right.stream()
                        .filter(entry -> entry.key().equals(wrong.key()))
                        .filter(entry -> !(entry instanceof Entry.Unique))
                        .findFirst()
                        .orElse(null);
        commit.same(layout, layout.keyOf(id), stored.raw());
        return (wanted == null ? commit.leave(wrong) : commit.enter(wanted)).run();
    }

    /** An entry that leads to a value of another kind. */
    public <E> Outcome<Long> remove(
            Layout<E> layout, Place place, String id, Raw raw, Entry otherKind, Entry wrong) {
        return ground.basket(place)
                .same(layout, layout.keyOf(id), raw)
                .present(otherKind)
                .leave(wrong)
                .run();
    }

    /** Writes entries that a value asks for and that are missing, if these others are there. */
    public <E> Outcome<Long> enter(
            Layout<E> layout, Stored<E> stored, List<Entry> others, List<Entry> missing) {
        Basket commit =
                ground.basket(stored.place())
                        .same(layout, layout.keyOf(stored.id()), stored.raw());
        others.forEach(commit::present);
        missing.forEach(commit::enter);
        return commit.run();
    }
}
