package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.backup.file.BackupHead;
import dev.millrace.keyspace.backup.file.Checksum;

/**
 * How a restore ended.
 *
 * @param keys that were written; one that exists in several shards counts once for each
 * @param expired keys of the file whose time had come before they could be written
 * @param merged parts of the file that had to be put together with others, or gave way to them
 * @param expected the checksum of the file, without what has expired
 * @param found the checksum of what is in Redis, without the same
 */
public record RestoreReport(
        BackupHead head, long keys, long expired, long merged, Checksum expected, Checksum found) {

    /** Whether Redis holds just what the file does. If not, it stays marked as unfinished. */
    public boolean equal() {
        return expected.equals(found);
    }
}
