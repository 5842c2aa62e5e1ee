package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Index;
import dev.millrace.keyspace.layout.Layout;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What a query asks of one index.
 *
 * @param key the index's key, null if nothing can be in it
 * @param other the key of a second index in which a hit must be too
 * @param places where the index lies
 * @param lowest the score of the first hit, included
 * @param highest the score of the last hit, included
 * @param limit how many a page has at most
 * @param after only what comes behind this, in the direction of the query
 */
record Asked<E>(
        Index<E> index,
        @Nullable String key,
        @Nullable String other,
        List<Place> places,
        boolean newestFirst,
        double lowest,
        double highest,
        int limit,
        @Nullable Cursor after) {

    boolean isWholeIndex() {
        return lowest == Double.NEGATIVE_INFINITY && highest == Double.POSITIVE_INFINITY;
    }

    /** Whether an entity as it is now belongs in the range. */
    boolean covers(Layout<E> layout, E entity) {
        return layout.mapping().entries(entity).stream()
                .filter(entry -> entry.key().equals(key))
                .anyMatch(
                        entry ->
                                !(entry instanceof Entry.Sorted sorted)
                                        || (sorted.score() >= lowest && sorted.score() <= highest));
    }
}
