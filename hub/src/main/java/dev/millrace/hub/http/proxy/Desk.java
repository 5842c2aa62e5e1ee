package dev.millrace.hub.http.proxy;

/** Who decides what becomes of a request. Called on an event loop: must not wait for anything. */
public interface Desk {
    Turn turn(Asked asked);
}
