/**
 * Samples on their way to another store of them: what the recorder has written, once more as
 * batches, until somebody acknowledges that they are written there too.
 */
@NullMarked
package dev.millrace.hub.history.batches;

import org.jspecify.annotations.NullMarked;
