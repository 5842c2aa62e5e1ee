package dev.millrace.keyspace.layout;

import java.util.function.UnaryOperator;

/** Who a thing belongs to: it lives in the shard of its owner, with all its index entries. */
public sealed interface Owner {

    /** The value of a variable: the device of an event, the channel of a point. */
    record Variable(String name) implements Owner {}

    /** What its id says: the first part of a document's key. */
    record OfId(String what, UnaryOperator<String> owner) implements Owner {}

    /** Itself: its own id. */
    record Itself() implements Owner {}

    /** The site: what is small and belongs together. */
    record Site() implements Owner {}

    default String words() {
        return switch (this) {
            case Variable(String name) -> name;
            case OfId(String what, UnaryOperator<String> owner) -> what;
            case Itself() -> "itself";
            case Site() -> "site";
        };
    }
}
