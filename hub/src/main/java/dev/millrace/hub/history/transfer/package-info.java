/** Samples on their way out and in: as CSV, as lines of JSON, and as batches for another store. */
@NullMarked
package dev.millrace.hub.history.transfer;

import org.jspecify.annotations.NullMarked;
