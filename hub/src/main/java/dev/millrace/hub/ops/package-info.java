/**
 * Running the hub: is it well ({@code /health/live}, {@code /health/ready}), what does it do
 * ({@code /metrics}), and what an admin may ask of it under {@code /ops/}: doctor, fsck, memory,
 * catalogue, tokens, audit, settings, log.
 *
 * <p>{@link dev.millrace.hub.ops.Ops} is the whole of it; every {@code …Api} beside it is a part of
 * the table of routes.
 */
@NullMarked
package dev.millrace.hub.ops;

import org.jspecify.annotations.NullMarked;
