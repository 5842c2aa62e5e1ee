/**
 * What a business rule says and what follows from it: triggers, sources, conditions, expressions
 * and actions, read from JSON and looked at with values that are given. Knows no Redis and no
 * clock, so a rule does the same live, in a test and rehearsed on the past. Way in: {@link
 * dev.millrace.hub.rules.logic.Rule}.
 */
@NullMarked
package dev.millrace.hub.rules.logic;

import org.jspecify.annotations.NullMarked;
