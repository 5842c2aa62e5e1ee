package dev.millrace.keyspace;

import dev.millrace.keyspace.redis.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Repairs one entry at a time. A repair is itself a commit with the check "the value is what I
 * read", so it can never undo what a concurrent writer has just done right.
 */
final class Mender {
    private final Keyspace keyspace;

    Mender(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * An entry that its value does not ask for: corrected if it asks for another score, else
     * removed.
     */
    <E> Outcome<Long> mend(
            Layout<E> layout, Place place, String id, @Nullable Stored<E> stored, Entry wrong) {
        Commit commit = keyspace.commit(place);
        if (stored == null) {
            return commit.raw('a', layout.keyOf(id)).also(each -> each.leave(wrong)).run();
        }
        List<Entry> right = layout.entries(stored.value());
        Entry wanted =
                right.stream()
                        .filter(entry -> entry.key().equals(wrong.key()))
                        .filter(entry -> !(entry instanceof Entry.Unique))
                        .findFirst()
                        .orElse(null);
        return commit.unchanged(layout, stored)
                .also(
                        each -> {
                            if (wanted == null) {
                                each.leave(wrong);
                            } else {
                                each.enter(wanted);
                            }
                        })
                .run();
    }

    /** Writes entries that a value asks for and that are missing or wrong. */
    <E> Outcome<Long> enter(Layout<E> layout, Stored<E> stored, List<Entry> missing) {
        return keyspace.commit(stored.place())
                .unchanged(layout, stored)
                .also(commit -> missing.forEach(commit::enter))
                .run();
    }
}
