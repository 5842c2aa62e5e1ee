/** Where business rules and what came of running them are kept. */
@NullMarked
package dev.millrace.hub.rules.kept;

import org.jspecify.annotations.NullMarked;
