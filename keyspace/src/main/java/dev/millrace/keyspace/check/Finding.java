package dev.millrace.keyspace.check;

/**
 * Something that is not as the layouts say.
 *
 * @param key the key it was found at, with its shard's prefix
 * @param detail a sentence for a person
 * @param repaired whether it is as it should be now
 */
public record Finding(Kind kind, String layout, String key, String detail, boolean repaired) {

    /** What is wrong, and whether the check may mend it. */
    public enum Kind {
        /** A value has no entry in an index it belongs in. */
        MISSING_ENTRY,
        /** An entry has another score than its value asks for. */
        WRONG_SCORE,
        /** An entry leads to a value that does not ask for it. */
        STALE_ENTRY,
        /** An entry leads to nothing. */
        ORPHAN_ENTRY,
        /** A list of the parts of an entity that does not exist; the parts themselves stay. */
        ORPHAN_LIST,
        /** What another system has left behind. */
        LEFTOVER,
        /** A unique field belongs to two values; only a person can decide. */
        UNIQUE_TWICE,
        /** An id is in the kind index of two layouts; only a person can decide. */
        TWO_KINDS,
        /** A key holds another type than its layout says; reported, never removed. */
        WRONG_TYPE,
        /** A value that its layout cannot read; reported, never removed. */
        UNDECODABLE,
        /** In a cluster: a value outside its owner's shard; reported, never removed. */
        STRAY,
        /** In a cluster: a home pointer is missing, or leads to nothing or to the wrong shard. */
        HOME_POINTER,
        /** In a cluster: a change of owner was cut short. */
        UNFINISHED_MOVE
    }
}
