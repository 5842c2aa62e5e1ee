package dev.millrace.keyspace.backup.file;

/** A backup file that cannot be used, with a sentence that says why. */
public final class BackupFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BackupFileException(String message) {
        super(message);
    }
}
