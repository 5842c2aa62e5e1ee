package dev.millrace.keyspace.backup.file;

import java.time.Instant;

/**
 * What a backup file says about itself at its beginning.
 *
 * @param made when its snapshot was taken
 * @param by the program that wrote it, with its version
 * @param server the Redis it is from, with its version
 * @param cluster whether that was a cluster: then every key says which shard it was in
 * @param keysAbout how many keys there were, the engine's own included
 */
public record BackupHead(Instant made, String by, String server, boolean cluster, long keysAbout) {}
