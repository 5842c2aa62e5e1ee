/**
 * Samples of points and measurements over time, one sorted set for each series and hour, from the
 * third key description (hissrv). What has samples on a day or in an hour stands in an index, so
 * that nothing is ever searched. Way in, so far: {@link dev.millrace.hub.history.HistoryLayouts}.
 */
@NullMarked
package dev.millrace.hub.history;

import org.jspecify.annotations.NullMarked;
