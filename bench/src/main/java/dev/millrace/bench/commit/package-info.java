/**
 * {@code bench commit}: what it costs to create an entity with four indexes, by the engine, by a
 * script of one's own, by plain commands and by Spring Data Redis. Way in: {@link
 * dev.millrace.bench.commit.CommitBench}.
 */
@NullMarked
package dev.millrace.bench.commit;

import org.jspecify.annotations.NullMarked;
