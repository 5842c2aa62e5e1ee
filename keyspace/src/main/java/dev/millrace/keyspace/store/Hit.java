package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An entry that was found.
 *
 * @param listed the ids of its parts, where parts are read along
 */
record Hit(String member, double score, Place place, List<String> listed) {

    Cursor cursor() {
        return new Cursor(score, member);
    }

    /**
     * What lies behind it.
     *
     * @param parts ids and values in turn, where parts are read along
     */
    record Behind<E>(Hit hit, Stored<E> stored, List<? extends @Nullable Object> parts) {}
}
