package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.http.Request;
import dev.millrace.hub.settings.Network;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * The address of a client behind proxies, as the configuration of the reference describes them.
 * Where it says nothing, the hub's own {@code http.trusted-proxies} count.
 *
 * @param header in which a proxy says for whom it speaks
 * @param trusted whom to believe it
 */
public record RealIp(Optional<String> header, List<Network> trusted) {
    private static final String LIST = "X-Forwarded-For";

    public static RealIp of(PubsubSettings settings) {
        return new RealIp(settings.realIpHeader(), settings.trustedProxies());
    }

    /** Of a request; a text, since whoever is trusted may write something else than an address. */
    public String of(Request request) {
        return header.isEmpty()
                ? request.peer().getHostAddress()
                : of(request.neighbour(), request.headers(header.get()));
    }

    /**
     * What the header means.
     *
     * @param neighbour the other end of the connection
     * @param values of the header
     */
    public String of(InetAddress neighbour, List<String> values) {
        String said = String.join(",", values).strip();
        if (header.isEmpty() || said.isEmpty() || !trusts(neighbour)) {
            return neighbour.getHostAddress();
        }
        if (!header.get().equalsIgnoreCase(LIST)) {
            return values.getFirst().strip();
        }
        String[] hops = said.split(",", -1);
        for (int i = hops.length - 1; i >= 0; i--) {
            String hop = hops[i].strip();
            if (!address(hop).map(this::trusts).orElse(false)) {
                return hop;
            }
        }
        return hops[0].strip();
    }

    private boolean trusts(InetAddress address) {
        return contains(trusted, address);
    }

    public static boolean contains(List<Network> networks, InetAddress address) {
        for (Network network : networks) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** The address that a text is; no name is ever looked up. */
    public static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
