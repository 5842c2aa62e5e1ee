/**
 * Runs business rules: by what is written, by alarms, by time, and when somebody asks for it. Way
 * in: {@link dev.millrace.hub.rules.running.Runner}.
 */
@NullMarked
package dev.millrace.hub.rules.running;

import org.jspecify.annotations.NullMarked;
