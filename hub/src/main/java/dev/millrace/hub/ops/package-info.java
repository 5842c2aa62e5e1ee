/**
 * What an operator needs: health with reasons, figures, logs, and the tools of the command line
 * over HTTP.
 */
@NullMarked
package dev.millrace.hub.ops;

import org.jspecify.annotations.NullMarked;
