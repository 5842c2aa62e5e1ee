/**
 * The machinery behind the routes: the listener, its event loops and connections, and the way of
 * one request through them. Rooms never see it; what they see is {@link dev.millrace.hub.http}.
 */
@NullMarked
package dev.millrace.hub.http.server;

import org.jspecify.annotations.NullMarked;
