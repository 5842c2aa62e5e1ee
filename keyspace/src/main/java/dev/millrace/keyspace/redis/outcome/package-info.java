/**
 * What may become of a call: done, refused, failed or unknown, and why. Way in: {@link
 * dev.millrace.keyspace.redis.outcome.Outcome}.
 */
@NullMarked
package dev.millrace.keyspace.redis.outcome;

import org.jspecify.annotations.NullMarked;
