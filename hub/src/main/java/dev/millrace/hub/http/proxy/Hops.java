package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.settings.Network;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What goes on from hop to hop. Headers that concern one connection stay on it; what a client says
 * about itself in the name of a proxy is believed from trusted ones only, for an application may
 * build its pages, and their links, from that.
 */
final class Hops {
    private static final Set<String> OF_CONNECTIONS =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authenticate",
                    "proxy-authorization",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "http2-settings",
                    "expect");

    /** Who says one of these is a proxy, or wants to be taken for one. */
    private static final Set<String> OF_PROXIES =
            Set.of(
                    "forwarded",
                    "x-forwarded-for",
                    "x-forwarded-host",
                    "x-forwarded-port",
                    "x-forwarded-prefix",
                    "x-forwarded-proto",
                    "x-forwarded-scheme",
                    "x-forwarded-server",
                    "x-forwarded-ssl",
                    "x-host",
                    "x-http-host-override",
                    "x-original-host",
                    "x-original-url",
                    "x-real-ip",
                    "x-rewrite-url");

    private static final String PROTOCOL = "x-forwarded-proto";
    private static final String HOST = "x-forwarded-host";

    /** Those of them from which an application may take which address it was asked for. */
    private static final List<String> OF_ADDRESSES =
            List.of(
                    PROTOCOL,
                    HOST,
                    "x-forwarded-port",
                    "x-forwarded-prefix",
                    "x-forwarded-scheme",
                    "x-forwarded-server",
                    "x-forwarded-ssl",
                    "x-host",
                    "x-http-host-override",
                    "x-original-host",
                    "x-original-url",
                    "x-rewrite-url");

    private final List<Network> trusted;

    /** Our own name, by which we know a request that we have seen before. */
    private final String name;

    Hops(List<Network> trusted, String name) {
        this.trusted = trusted;
        this.name = name;
    }

    boolean wasHere(MultiMap headers) {
        return headers.getAll("Via").stream().anyMatch(each -> each.contains(name));
    }

    private boolean trusts(InetAddress peer) {
        return trusted.stream().anyMatch(network -> network.contains(peer));
    }

    /**
     * What a client says that concerns more than its connection and may be believed: nothing else
     * reaches the application, so nothing else may decide which of its pages a client gets.
     */
    List<Header> endToEnd(MultiMap from, InetAddress peer) {
        Set<String> named = named(from);
        boolean believed = trusts(peer);
        List<Header> to = new ArrayList<>(from.size());
        for (Map.Entry<String, String> each : from) {
            String header = each.getKey().toLowerCase(Locale.ROOT);
            if (!OF_CONNECTIONS.contains(header)
                    && !named.contains(header)
                    && (believed || !OF_PROXIES.contains(header))) {
                to.add(new Header(each.getKey(), each.getValue()));
            }
        }
        return to;
    }

    /**
     * What a trusted proxy says about the address that its client asked for, where that is another
     * one than the request itself says; empty otherwise. An application builds its links, and
     * redirects from http to https, from this.
     */
    String addressTold(MultiMap from, InetAddress peer, String host) {
        if (!trusts(peer)) {
            return "";
        }
        StringBuilder told = new StringBuilder();
        for (String name : OF_ADDRESSES) {
            String value = String.join(",", from.getAll(name)).strip();
            boolean nothingNew =
                    value.isEmpty()
                            || (name.equals(PROTOCOL) && value.equalsIgnoreCase("http"))
                            || (name.equals(HOST) && value.equalsIgnoreCase(host));
            if (!nothingNew) {
                told.append(name).append('=').append(value).append('\n');
            }
        }
        for (String each : String.join(",", from.getAll("forwarded")).split("[;,]", -1)) {
            String part = each.strip().toLowerCase(Locale.ROOT);
            if (part.startsWith("proto=") || part.startsWith("host=")) {
                told.append(part).append('\n');
            }
        }
        return told.toString();
    }

    /** The headers of a request for the application. */
    MultiMap toApplication(Asked asked, Set<String> without, List<Header> with) {
        MultiMap from = asked.raw();
        boolean believed = trusts(asked.peer());
        MultiMap to = HttpHeaders.headers();
        for (Header each : asked.headers()) {
            String header = each.name().toLowerCase(Locale.ROOT);
            if (!without.contains(header)
                    && !header.equals("host")
                    && !header.equals("content-length")) {
                to.add(each.name(), each.value());
            }
        }
        to.set(HttpHeaders.HOST, asked.host());
        String peer = asked.peer().getHostAddress();
        List<String> before = believed ? from.getAll("X-Forwarded-For") : List.of();
        to.set(
                "X-Forwarded-For",
                before.isEmpty() ? peer : String.join(", ", before) + ", " + peer);
        if (!to.contains("X-Forwarded-Proto")) {
            to.set("X-Forwarded-Proto", "http");
        }
        if (!to.contains("X-Forwarded-Host")) {
            to.set("X-Forwarded-Host", asked.host());
        }
        to.add("Via", "1.1 " + name);
        with.forEach(each -> to.set(each.name(), each.value()));
        return to;
    }

    /** The headers of an answer for the client. */
    List<Header> toClient(MultiMap from) {
        Set<String> named = named(from);
        List<Header> to = new ArrayList<>(from.size() + 1);
        for (Map.Entry<String, String> each : from) {
            String header = each.getKey().toLowerCase(Locale.ROOT);
            if (!OF_CONNECTIONS.contains(header) && !named.contains(header)) {
                to.add(new Header(each.getKey(), each.getValue()));
            }
        }
        return to;
    }

    /** For answers to clients. */
    Header via() {
        return new Header("Via", "1.1 " + name);
    }

    private static Set<String> named(MultiMap headers) {
        Set<String> named = new HashSet<>();
        for (String value : headers.getAll(HttpHeaders.CONNECTION)) {
            for (String each : value.split(",", -1)) {
                named.add(each.strip().toLowerCase(Locale.ROOT));
            }
        }
        // Whoever names what frames or directs a message does not get rid of it.
        named.remove("");
        named.remove("host");
        named.remove("content-length");
        return named;
    }
}
