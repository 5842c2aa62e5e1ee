package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Stored;

import java.util.List;
import java.util.Optional;

/**
 * Part of an index.
 *
 * @param next where the next page begins; empty when this is the last one
 */
public record Page<E>(List<Stored<E>> items, Optional<Cursor> next) {

    public Page {
        items = List.copyOf(items);
    }

    public List<E> values() {
        return items.stream().map(Stored::value).toList();
    }
}
