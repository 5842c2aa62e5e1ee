/** What all commands share: the options with which settings come, and how a person is spoken to. */
@NullMarked
package dev.millrace.hub.cli.terminal;

import org.jspecify.annotations.NullMarked;
