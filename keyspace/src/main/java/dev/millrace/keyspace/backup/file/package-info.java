/**
 * The backup file: how it is written and read, and the checksum of what it holds. Knows nothing of
 * layouts, and nothing of where things live.
 */
@NullMarked
package dev.millrace.keyspace.backup.file;

import org.jspecify.annotations.NullMarked;
