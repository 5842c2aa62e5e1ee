package dev.millrace.hub.http.proxy;

import dev.millrace.hub.settings.Network;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a proxy works.
 *
 * @param host the address to listen on
 * @param port 0 for a free one
 * @param applications where the web application is; several serve in turn
 * @param trusted the addresses of proxies before us, whose word about a client is believed
 * @param times how long things may take
 * @param bounds how much there may be
 * @param health a path at which an application that works answers with 2xx or 3xx
 */
public record ProxyOptions(
        String host,
        int port,
        List<URI> applications,
        List<Network> trusted,
        Times times,
        Bounds bounds,
        Optional<String> health) {
    public ProxyOptions {
        applications = List.copyOf(applications);
        trusted = List.copyOf(trusted);
    }

    /**
     * Times.
     *
     * @param connect to an application
     * @param answer from the end of a request to the head of its answer
     * @param stall between two pieces of a body, in either direction
     * @param tunnel between two pieces of a WebSocket
     * @param idle until the complete head of the next request of a client
     * @param stop for what is at work when the hub stops
     */
    public record Times(
            Duration connect,
            Duration answer,
            Duration stall,
            Duration tunnel,
            Duration idle,
            Duration stop) {}

    /**
     * Bounds.
     *
     * @param connections of clients
     * @param applicationConnections to one application
     * @param waiting requests that wait for such a connection
     * @param header bytes of the head of a request, and of an answer
     * @param body bytes of the body of a request
     */
    public record Bounds(
            int connections, int applicationConnections, int waiting, int header, long body) {}
}
