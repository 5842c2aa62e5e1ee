package dev.millrace.hub.http.server;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import java.net.InetAddress;

/** How the arrival of a request ends. */
sealed interface Arrived {
    /** There is a route, the caller may use it, and the body is there or the handler's own. */
    record Ready(Route route, InetAddress peer, Caller caller, Body body) implements Arrived {}

    /** No handler is needed for this answer. */
    record Answered(Answer answer) implements Arrived {}

    record Refused(Throwable why) implements Arrived {}
}
