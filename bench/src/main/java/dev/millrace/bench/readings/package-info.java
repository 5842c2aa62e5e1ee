/**
 * {@code bench readings}: what it costs to take events with their readings over HTTP, one by one
 * and in bulk, beside a hub that only reads them and beside Redis alone; and what it costs to ask
 * for them. Way in: {@link dev.millrace.bench.readings.ReadingsBench}.
 */
@NullMarked
package dev.millrace.bench.readings;

import org.jspecify.annotations.NullMarked;
