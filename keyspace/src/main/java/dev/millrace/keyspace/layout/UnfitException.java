package dev.millrace.keyspace.layout;

/** An entity lacks something without which it has no place here: an owner, or a real score. */
public final class UnfitException extends IllegalArgumentException {
    UnfitException(String sentence) {
        super(sentence);
    }
}
