package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.backup.file.Checksum;

/**
 * What a backup holds.
 *
 * @param keys how many; one that exists in several shards of a cluster counts once for each
 * @param bytes of the file
 * @param checksum of the logical content: the same on a single server and in a cluster
 */
public record BackupReport(long keys, long bytes, Checksum checksum) {}
