/**
 * The recorder: reads what rooms announce, decides what is worth keeping, and writes it as samples,
 * each once.
 */
@NullMarked
package dev.millrace.hub.history.recording;

import org.jspecify.annotations.NullMarked;
