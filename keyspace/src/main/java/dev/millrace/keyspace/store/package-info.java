/**
 * The entities of one layout: create, replace, delete, get, page over an index. Every write is one
 * commit.
 */
@NullMarked
package dev.millrace.keyspace.store;

import org.jspecify.annotations.NullMarked;
