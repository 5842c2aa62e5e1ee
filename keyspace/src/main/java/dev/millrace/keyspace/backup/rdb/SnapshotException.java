package dev.millrace.keyspace.backup.rdb;

/** A snapshot that cannot be read, with a sentence that says why. */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SnapshotException(String message) {
        super(message);
    }
}
