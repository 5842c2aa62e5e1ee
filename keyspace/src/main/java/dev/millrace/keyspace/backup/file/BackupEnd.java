package dev.millrace.keyspace.backup.file;

/**
 * What a backup file says about itself at its end.
 *
 * @param keys how many keys it holds; one that was in several shards counts once for each
 * @param elements how many members, fields, elements and strings
 * @param sequence the largest sequence number of any shard's logs: a restored site goes on from it
 * @param checksum of the logical content
 */
public record BackupEnd(long keys, long elements, long sequence, Checksum checksum) {}
