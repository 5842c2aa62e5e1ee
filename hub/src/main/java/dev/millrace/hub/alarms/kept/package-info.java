/**
 * Alarm rules and alarms in Redis, and the copy of them in memory that values are compared with.
 * Way in: {@link dev.millrace.hub.alarms.kept.Evaluation} for values, {@link
 * dev.millrace.hub.alarms.kept.AlarmChanges} for everything else.
 */
@NullMarked
package dev.millrace.hub.alarms.kept;

import org.jspecify.annotations.NullMarked;
