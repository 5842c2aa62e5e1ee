/**
 * When an alarm goes off and what becomes of it then: rules, states and the transitions between
 * them, as functions of a rule, its alarm, what happened and the time. Nothing here knows Redis or
 * HTTP. Way in: {@link dev.millrace.hub.alarms.logic.Lifecycle}.
 */
@NullMarked
package dev.millrace.hub.alarms.logic;

import org.jspecify.annotations.NullMarked;
