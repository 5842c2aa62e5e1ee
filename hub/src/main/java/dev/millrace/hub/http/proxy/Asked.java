package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import io.vertx.core.MultiMap;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** What a client asks, without its body. May be kept after the client has gone. Thread-safe. */
public final class Asked {
    private final String method;
    private final String host;
    private final String target;
    private final MultiMap headers;
    private final Hops hops;
    private final InetAddress peer;
    private final boolean body;

    Asked(
            String method,
            String host,
            String target,
            MultiMap headers,
            Hops hops,
            InetAddress peer,
            boolean body) {
        this.method = method;
        this.host = host;
        this.target = target;
        this.headers = headers;
        this.hops = hops;
        this.peer = peer;
        this.body = body;
    }

    public String method() {
        return method;
    }

    /**
     * The authority it is for, as {@code shop.example} or {@code shop.example:8081}, as it came.
     */
    public String host() {
        return host;
    }

    /** Path and query, as they came. */
    public String target() {
        return target;
    }

    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public Optional<String> headerOf(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Those that the application gets too, in their order. */
    public List<Header> headers() {
        return hops.endToEnd(headers, peer);
    }

    /**
     * The address that was asked for, as a trusted proxy before this one says it; empty if that is
     * none but {@code http}, {@link #host} and {@link #target}.
     */
    public String addressTold() {
        return hops.addressTold(headers, peer, host);
    }

    /** The other end of the connection. */
    public InetAddress peer() {
        return peer;
    }

    /** Whether a body comes with it. */
    public boolean hasBody() {
        return body;
    }

    MultiMap raw() {
        return headers;
    }
}
