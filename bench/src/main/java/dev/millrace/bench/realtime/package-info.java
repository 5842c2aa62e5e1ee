/**
 * Many clients of live values by WebSocket while a plant writes: how soon a write is heard, and
 * what each client costs. {@link dev.millrace.bench.realtime.RealtimeBench} is the way in.
 */
@NullMarked
package dev.millrace.bench.realtime;

import org.jspecify.annotations.NullMarked;
