/**
 * Alarm rules and the one alarm that each of them may raise, from the third key description
 * (alarmsrv). They live with the source they watch, so that a value and the alarms it raises or
 * clears are one commit. Way in: {@link dev.millrace.hub.alarms.Alarms}.
 */
@NullMarked
package dev.millrace.hub.alarms;

import org.jspecify.annotations.NullMarked;
