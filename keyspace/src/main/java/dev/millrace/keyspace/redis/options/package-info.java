/**
 * Where Redis is, how it is reached and how much is asked of it before a write counts. Knows
 * nothing of connections. Way in: {@link dev.millrace.keyspace.redis.options.RedisOptions}.
 */
@NullMarked
package dev.millrace.keyspace.redis.options;

import org.jspecify.annotations.NullMarked;
