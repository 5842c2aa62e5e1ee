/**
 * Reads the snapshot format of Redis and Valkey (RDB) as a stream: one key after the other, large
 * ones in parts. Knows nothing of connections and nothing of layouts.
 */
@NullMarked
package dev.millrace.keyspace.backup.rdb;

import org.jspecify.annotations.NullMarked;
