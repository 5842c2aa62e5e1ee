/**
 * A reverse proxy: it listens on a port of its own and hands what is asked to a web application,
 * both ways as it comes. A {@link dev.millrace.hub.http.proxy.Desk} decides what becomes of each
 * request, and may look at what passes by. Way in: {@link dev.millrace.hub.http.proxy.Proxy}.
 */
@NullMarked
package dev.millrace.hub.http.proxy;

import org.jspecify.annotations.NullMarked;
