/** Questions about the past: ranges, windows and what becomes of the samples in them. */
@NullMarked
package dev.millrace.hub.history.asking;

import org.jspecify.annotations.NullMarked;
