/**
 * The connection to Redis: lanes, group commit, routing by slot, and the one place that knows the
 * client library. Everything above speaks in requests, scripts and outcomes. Way in: {@link
 * dev.millrace.keyspace.redis.Redis}.
 */
@NullMarked
package dev.millrace.keyspace.redis;

import org.jspecify.annotations.NullMarked;
