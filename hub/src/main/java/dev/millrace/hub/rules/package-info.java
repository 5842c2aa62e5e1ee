/**
 * Business rules and what came of running them, from the third key description (rulesrv). Never
 * alarm rules, which have a room of their own. What a rule says is read in {@code logic}, kept in
 * {@code kept} and run in {@code running}. Way in: {@link dev.millrace.hub.rules.Rules}.
 */
@NullMarked
package dev.millrace.hub.rules;

import org.jspecify.annotations.NullMarked;
