/** The command {@code token}: who may come in, as a person at this machine sets it. */
@NullMarked
package dev.millrace.hub.cli.tokens;

import org.jspecify.annotations.NullMarked;
