/**
 * Calls to other servers by HTTP, within limits that whoever calls sets for them: time, redirects,
 * the size of the answer, and addresses that are out of bounds. Way in: {@link
 * dev.millrace.hub.outside.Outside}.
 */
@NullMarked
package dev.millrace.hub.outside;

import org.jspecify.annotations.NullMarked;
