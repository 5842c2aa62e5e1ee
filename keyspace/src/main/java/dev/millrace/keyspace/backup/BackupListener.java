package dev.millrace.keyspace.backup;

/** Hears how a backup or a restore goes. */
public interface BackupListener {
    /** How far it is, every two seconds; may come from any thread, one at a time. */
    default void progress(BackupProgress progress) {}
}
