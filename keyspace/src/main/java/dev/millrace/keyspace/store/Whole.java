package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Stored;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An entity together with its parts: what is on the list beside it ({@link Cell#listing}).
 *
 * @param parts those that exist and can be read, in the order of the list
 * @param listed every id on the list, in its order; at most {@link #MOST_PARTS}
 */
public record Whole<E, P>(Stored<E> head, List<Stored<P>> parts, List<String> listed) {
    /** What is read of one list. */
    public static final int MOST_PARTS = 10_000;

    public Whole {
        parts = List.copyOf(parts);
        listed = List.copyOf(listed);
    }

    /** Ids on the list that lead to nothing here: deleted, or moved to another shard. */
    public List<String> missing() {
        Set<String> there = new HashSet<>();
        parts.forEach(part -> there.add(part.id()));
        return listed.stream().filter(id -> !there.contains(id)).toList();
    }
}
