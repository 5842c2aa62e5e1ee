/**
 * Business rules: how many are evaluated a second, what one takes, and how soon it acts. Way in:
 * {@link dev.millrace.bench.rules.RulesBench}.
 */
@NullMarked
package dev.millrace.bench.rules;

import org.jspecify.annotations.NullMarked;
