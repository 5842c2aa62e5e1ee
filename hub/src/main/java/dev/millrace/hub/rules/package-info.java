/**
 * Business rules and what came of running them, from the third key description (rulesrv). Never
 * alarm rules, which have a room of their own. Way in, so far: {@link
 * dev.millrace.hub.rules.RulesLayouts}.
 */
@NullMarked
package dev.millrace.hub.rules;

import org.jspecify.annotations.NullMarked;
