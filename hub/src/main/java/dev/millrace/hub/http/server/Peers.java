package dev.millrace.hub.http.server;

import dev.millrace.hub.settings.Network;

import io.vertx.core.http.HttpServerRequest;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Who is calling. A proxy may say for whom it speaks, if it is one of those we trust: of the
 * addresses in its header the last one that is not a trusted proxy itself counts, since whatever
 * stands before it could have been written by anybody.
 */
final class Peers {
    private final List<Network> proxies;
    private final String header;

    Peers(List<Network> proxies, Optional<String> header) {
        this.proxies = List.copyOf(proxies);
        this.header = header.orElse("X-Forwarded-For");
    }

    /**
     * The caller of a request.
     *
     * @param peer whose connection it came on
     */
    InetAddress caller(InetAddress peer, HttpServerRequest request) {
        if (proxies.isEmpty() || !trusted(peer)) {
            return peer;
        }
        String[] hops = String.join(",", request.headers().getAll(header)).split(",", -1);
        InetAddress caller = peer;
        for (int i = hops.length - 1; i >= 0 && trusted(caller); i--) {
            try {
                caller = InetAddress.ofLiteral(hops[i].strip());
            } catch (IllegalArgumentException e) {
                return caller;
            }
        }
        return caller;
    }

    private boolean trusted(InetAddress address) {
        for (Network proxy : proxies) {
            if (proxy.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
