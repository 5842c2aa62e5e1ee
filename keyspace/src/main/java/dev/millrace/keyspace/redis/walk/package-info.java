/**
 * Work that looks at every server or every key, one after the other and no faster than it is
 * allowed to. Way in: {@link dev.millrace.keyspace.redis.walk.KeyWalk}.
 */
@NullMarked
package dev.millrace.keyspace.redis.walk;

import org.jspecify.annotations.NullMarked;
