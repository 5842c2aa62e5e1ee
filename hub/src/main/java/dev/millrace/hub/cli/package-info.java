/**
 * The commands that a person types. Each reads its settings, does one thing and ends with an exit
 * code. Way in: {@link dev.millrace.hub.cli.Main}.
 */
@NullMarked
package dev.millrace.hub.cli;

import org.jspecify.annotations.NullMarked;
