package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.layout.Raw;

/**
 * An entity as it was read, together with what it was read from.
 *
 * @param id the variable part of its key
 * @param raw the value as it lay in Redis, which a later replace or delete compares
 */
public record Stored<E>(String id, E value, Raw raw, Place place) {

    /** A copy for tests and messages that says where it lives. */
    public int shard() {
        return place.shard();
    }
}
