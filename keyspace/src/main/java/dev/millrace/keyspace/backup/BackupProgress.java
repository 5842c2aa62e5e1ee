package dev.millrace.keyspace.backup;

/**
 * How far a backup or a restore is.
 *
 * @param keys done so far in this step
 * @param ofAbout how many there will be, about
 * @param bytes of the backup file written so far
 */
public record BackupProgress(Step step, long keys, long ofAbout, long bytes) {

    /** What is being done. */
    public enum Step {
        /** The servers prepare their snapshots. */
        PREPARING,
        /** Keys go from the snapshots into the file. */
        WRITING,
        /** The file is read once to see that it is whole. */
        READING,
        /** Keys go from the file into Redis. */
        RESTORING,
        /** What is in Redis now is compared with the file. */
        COMPARING
    }
}
