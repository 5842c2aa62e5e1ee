/**
 * Benchmarks, side by side with what one would use instead. Way in: {@code ./millrace bench}. Each
 * benchmark has a package of its own; what they share is in {@link dev.millrace.bench.race}.
 */
@NullMarked
package dev.millrace.bench;

import org.jspecify.annotations.NullMarked;
