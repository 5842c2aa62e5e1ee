package dev.millrace.keyspace;

/** Who a thing belongs to: it lives in the shard of its owner, with all its index entries. */
sealed interface Owner {

    /** The value of a variable: the device of an event, the channel of a point. */
    record Variable(String name) implements Owner {}

    /** Itself: its own id. */
    record Itself() implements Owner {}

    /** The site: what is small and belongs together. */
    record Site() implements Owner {}

    default String words() {
        return switch (this) {
            case Variable(String name) -> name;
            case Itself() -> "itself";
            case Site() -> "site";
        };
    }
}
