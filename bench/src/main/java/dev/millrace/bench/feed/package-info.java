/**
 * What a fact costs, how soon it is read, and how many a reader can read. {@link
 * dev.millrace.bench.feed.FeedBench} is the way in.
 */
@NullMarked
package dev.millrace.bench.feed;

import org.jspecify.annotations.NullMarked;
