/**
 * Locks that any program may take: {@code sync:lock:{resource}}. Way in: {@link
 * dev.millrace.hub.site.locks.Locks}.
 */
@NullMarked
package dev.millrace.hub.site.locks;

import org.jspecify.annotations.NullMarked;
