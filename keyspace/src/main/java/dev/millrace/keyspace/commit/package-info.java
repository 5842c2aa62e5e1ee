/**
 * Writing: a basket of checks and writes that becomes one script call, and where things live,
 * shards, places, and the pointers to ids that live elsewhere. Rooms see {@link
 * dev.millrace.keyspace.commit.Commit}; the parts of the engine above use {@link
 * dev.millrace.keyspace.commit.Ground} and {@link dev.millrace.keyspace.commit.Basket}.
 */
@NullMarked
package dev.millrace.keyspace.commit;

import org.jspecify.annotations.NullMarked;
