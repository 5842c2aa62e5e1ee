package dev.millrace.keyspace.backup;

/** A backup or restore that could not be done, with a sentence that says what to do. */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BackupException(String message) {
        super(message);
    }
}
