package dev.millrace.keyspace.layout;

import dev.millrace.keyspace.pattern.KeyPattern;

/**
 * One pattern of one declaration, as the catalogue lists it.
 *
 * @param role what the key is to its declaration
 * @param member what its members or fields are; empty for a value
 * @param score what its members are sorted by; empty where nothing is
 */
public record Spot(
        Declaration owner,
        KeyPattern pattern,
        KeyType type,
        Role role,
        String member,
        String score) {

    /** What a key is to its declaration. */
    public enum Role {
        VALUE,
        INDEX,
        CELL,
        LEFTOVER
    }

    /** A spot is itself; two declarations may use equal patterns. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
