/**
 * Why something was done: the way from a value or a call to an alarm, a message, a rule, a command
 * and back, put together from what each room has recorded of its own part.
 */
@NullMarked
package dev.millrace.hub.why;

import org.jspecify.annotations.NullMarked;
