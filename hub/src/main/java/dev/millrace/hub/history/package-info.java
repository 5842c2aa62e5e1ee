/**
 * Samples of points and measurements over time, one sorted set for each series and hour, from the
 * third key description (hissrv). {@link dev.millrace.hub.history.recording} makes samples of what
 * rooms announce, {@link dev.millrace.hub.history.asking} answers questions about them, and {@link
 * dev.millrace.hub.history.kept} knows where they are. What has samples on a day or in an hour
 * stands in an index, so that nothing is ever searched.
 */
@NullMarked
package dev.millrace.hub.history;

import org.jspecify.annotations.NullMarked;
