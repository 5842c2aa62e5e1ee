/**
 * How an entity changes its owner in a cluster: out of one shard and into another, where no script
 * sees both. The whole protocol is here, and docs/moves.md explains it.
 */
@NullMarked
package dev.millrace.keyspace.store.move;

import org.jspecify.annotations.NullMarked;
