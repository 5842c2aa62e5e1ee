/**
 * Keeps the sessions of a servlet or Spring application in Millrace, so that they survive the
 * application and are shared by all of its processes. Way in: {@link
 * dev.millrace.session.MillraceSessionFilter}.
 */
@NullMarked
package dev.millrace.session;

import org.jspecify.annotations.NullMarked;
