package dev.millrace.hub.http.server;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.http.Method;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.PathText;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.RequestId;
import dev.millrace.hub.http.RouteTable;

import io.vertx.core.http.HttpServerRequest;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * What a request asks for, as far as that is known: {@link Arrival} finds it out, {@link Reply} and
 * {@link Exchange} look it up. It decides nothing and calls none of them.
 */
final class Asked {
    final HttpServerRequest raw;

    /** Under which the log and the caller know the request. */
    final String id;

    /** The address at the other end of the connection. */
    final InetAddress neighbour;

    private final Front front;
    private String path = "";
    private @Nullable Method method;
    private @Nullable Owner owner;
    private RouteTable.Match.@Nullable Found match;

    Asked(Front front, InetAddress neighbour, HttpServerRequest raw) {
        this.front = front;
        this.neighbour = neighbour;
        this.raw = raw;
        this.id = RequestId.of(raw.getHeader(RequestId.HEADER));
    }

    /** Reads method and path; false if the path is not one. */
    boolean understood() {
        String decoded = PathText.decode(Optional.ofNullable(raw.path()).orElse(""), false);
        path = decoded == null ? String.valueOf(raw.path()) : decoded;
        method = Method.of(raw.method().name()).orElse(null);
        return decoded != null && decoded.startsWith("/");
    }

    void found(RouteTable.Match.Found found) {
        match = found;
        owner = found.entry().owner();
    }

    /** Decoded, or as it was sent where it cannot be decoded. */
    String path() {
        return path;
    }

    /** Null for one that we do not know. */
    @Nullable Method method() {
        return method;
    }

    boolean isHead() {
        return method == Method.HEAD;
    }

    /** Whose path it is, whether a route was found or not. */
    Owner owner() {
        Owner known = owner;
        if (known == null) {
            known = front.table.owner(path);
            owner = known;
        }
        return known;
    }

    /** The same, as the server has made it ready. */
    Front.Manners manners() {
        return front.manners(owner());
    }

    /** The route that was found; null before, and where there is none. */
    RouteTable.@Nullable Entry entry() {
        return match == null ? null : match.entry();
    }

    /** The caller's address, behind the proxies that are trusted. */
    InetAddress peer() {
        return front.peers.caller(neighbour, raw);
    }

    /** The same for a handler. */
    Request request(InetAddress peer, Caller caller, byte[] body) {
        return new Request(
                id, Objects.requireNonNull(match), path, raw, neighbour, peer, caller, body);
    }
}
