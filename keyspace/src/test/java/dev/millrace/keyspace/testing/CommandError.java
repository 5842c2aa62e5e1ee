package dev.millrace.keyspace.testing;

/** An error that a server answered, such as {@code WRONGTYPE Operation against a key …}. */
public final class CommandError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandError(String message) {
        super(message);
    }

    /** Whether the error starts with this word, such as {@code MOVED}. */
    public boolean is(String code) {
        return String.valueOf(getMessage()).startsWith(code + " ");
    }
}
