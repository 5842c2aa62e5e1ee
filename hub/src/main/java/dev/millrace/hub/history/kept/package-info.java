/** What lies in Redis: the keys of history, the steps that write samples, and the ways to read. */
@NullMarked
package dev.millrace.hub.history.kept;

import org.jspecify.annotations.NullMarked;
