/** What it costs to keep values over time, and to ask for them. */
@NullMarked
package dev.millrace.bench.history;

import org.jspecify.annotations.NullMarked;
