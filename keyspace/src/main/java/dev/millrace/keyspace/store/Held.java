package dev.millrace.keyspace.store;

/**
 * What a key holds, for whoever reads keys that others may write too. Immutable, so for any number
 * of threads.
 */
public sealed interface Held<T> {

    /** What was asked for. */
    record Value<T>(T value) implements Held<T> {}

    /** The key is not there, or nothing of what was asked for is in it. */
    record Nothing<T>() implements Held<T> {}

    /** Something of another type than declared, or where a number was asked for, not a number. */
    record SomethingElse<T>() implements Held<T> {}

    /** The value, or this one if there is none that can be used. */
    default T or(T otherwise) {
        return switch (this) {
            case Value<T>(T value) -> value;
            case Nothing<T>() -> otherwise;
            case SomethingElse<T>() -> otherwise;
        };
    }
}
