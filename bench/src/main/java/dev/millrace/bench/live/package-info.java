/**
 * Many clients of one live feed: memory for each, and how soon the last one has a fact. {@link
 * dev.millrace.bench.live.LiveBench} is the way in.
 */
@NullMarked
package dev.millrace.bench.live;

import org.jspecify.annotations.NullMarked;
