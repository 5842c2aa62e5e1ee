/**
 * The way in over HTTP: a table of routes, one port for all of them, one place where a request is
 * let in, bounded, timed, answered and counted. A room adds an {@code …Api} with its routes and
 * never meets the library underneath; only this package and {@code live} know it.
 *
 * <p>{@link dev.millrace.hub.http.Route} is what a room writes, {@link
 * dev.millrace.hub.http.server.WebServer} what listens, {@code Exchange} the way of one request.
 */
@NullMarked
package dev.millrace.hub.http;

import org.jspecify.annotations.NullMarked;
