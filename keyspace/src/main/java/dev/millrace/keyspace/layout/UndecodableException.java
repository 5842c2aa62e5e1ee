package dev.millrace.keyspace.layout;

/** A value in Redis that its layout cannot read. It is reported, never removed. */
public final class UndecodableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UndecodableException(String key, Throwable cause) {
        super("The value of " + key + " cannot be read: " + cause.getMessage(), cause);
    }
}
