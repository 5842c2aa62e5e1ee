/**
 * Orders to devices: how many a second, and how long one takes from its giving to its end. Way in:
 * {@link dev.millrace.bench.commands.CommandsBench}.
 */
@NullMarked
package dev.millrace.bench.commands;

import org.jspecify.annotations.NullMarked;
