package dev.millrace.keyspace.backup.file;

import dev.millrace.keyspace.backup.rdb.Part;

/**
 * A part as it is in the file: with its logical key, which names no shard.
 *
 * @param shard the shard of the cluster that it was in; {@link #NONE} on a single server, and for
 *     keys that lie where their own name says
 */
public record Held(int shard, Part part) {
    public static final int NONE = -1;
}
