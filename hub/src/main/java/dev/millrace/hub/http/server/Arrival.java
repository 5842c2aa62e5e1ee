package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Bearer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Guard;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Method;
import dev.millrace.hub.http.PathText;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The first half of an {@link Exchange}: find the route, let the caller in, take the body. On the
 * connection's event loop; it ends with {@link Exchange#begin}, or with an answer in its place.
 */
final class Arrival {
    private static final String NO_ROOM =
            "The bodies of all requests together are larger than the memory for them; try again.";

    private final Exchange exchange;
    private final Front front;
    private final HttpServerRequest raw;
    private final HttpServerResponse response;
    private String path = "";
    private @Nullable Method method;

    Arrival(Exchange exchange, Front front, HttpServerRequest raw) {
        this.exchange = exchange;
        this.front = front;
        this.raw = raw;
        this.response = raw.response();
    }

    void begin() {
        try {
            route();
        } catch (RuntimeException e) {
            exchange.fail(e);
        }
    }

    private void route() {
        String decoded = PathText.decode(Optional.ofNullable(raw.path()).orElse(""), false);
        path = decoded == null ? String.valueOf(raw.path()) : decoded;
        method = Method.of(raw.method().name()).orElse(null);
        exchange.asks(method, path);
        if (decoded == null || !decoded.startsWith("/")) {
            exchange.fail(Problem.of(Code.BAD_PATH));
            return;
        }
        if (raw.version() != HttpVersion.HTTP_2 && !wellFormed()) {
            exchange.fail(Problem.of(Code.BAD_REQUEST));
            return;
        }
        if (!front.hosts.accept(raw)) {
            exchange.fail(Problem.of(Code.WRONG_HOST));
            return;
        }
        if (method == Method.OPTIONS) {
            Optional<Answer> preflight = exchange.cors().preflight(raw);
            if (preflight.isPresent()) {
                exchange.answer(preflight.get());
                return;
            }
        }
        switch (front.table.find(method, path)) {
            case RouteTable.Match.Found found -> found(found);
            case RouteTable.Match.OtherMethods(var allowed) -> {
                Problem problem = Problem.of(Code.METHOD_NOT_ALLOWED);
                exchange.fail(
                        exchange.owner().allowsOnErrors()
                                ? problem.with(new Header("Allow", String.join(", ", allowed)))
                                : problem);
            }
            case RouteTable.Match.Nothing() -> nothing();
        }
    }

    /**
     * What the library lets pass, but others before us may read in another way: then a request
     * would hide in the body of another.
     */
    private boolean wellFormed() {
        MultiMap headers = raw.headers();
        List<String> codings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        return !headers.contains("")
                && (raw.version() == HttpVersion.HTTP_1_0
                        || headers.getAll(HttpHeaders.HOST).size() == 1)
                && (codings.isEmpty()
                        || (codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked")));
    }

    private void nothing() {
        String without = path.endsWith("/") ? path.substring(0, path.length() - 1) : "";
        if (exchange.owner().redirectsSlash()
                && !without.isEmpty()
                && !(front.table.find(method, without) instanceof RouteTable.Match.Nothing)) {
            // However the slash was written; and never to another host, as // would lead.
            String target =
                    String.valueOf(raw.path())
                            .replaceFirst("(?i)(/|%2f)$", "")
                            .replaceFirst("^/+", "/");
            String query = raw.query();
            exchange.answer(
                    Answer.empty(307)
                            .with("Location", query == null ? target : target + "?" + query));
        } else {
            exchange.fail(Problem.of(Code.NOT_FOUND));
        }
    }

    private void found(RouteTable.Match.Found found) {
        exchange.found(found);
        Route route = found.entry().route();
        if (front.stopping && !route.whileStopping()) {
            exchange.fail(Problem.retryable(Code.STOPPING));
        } else if (exchange.cors().foreign(raw, method)) {
            exchange.fail(
                    Problem.of(
                            Code.FOREIGN_ORIGIN,
                            Code.FOREIGN_ORIGIN.sentence()
                                    + " If it should, add it to http.cors.origins."));
        } else if (!(route.handler() instanceof Handler.Receiving)
                && declaredLength() > limit(route)) {
            exchange.fail(Gzip.tooLarge(limit(route)));
        } else {
            letIn(route);
        }
    }

    private void letIn(Route route) {
        InetAddress peer = front.peers.caller(exchange.connection.peer, raw);
        switch (route.guard()) {
            case Guard.Anyone anyone -> receive(route, peer, Caller.NOBODY);
            case Guard.OwnCheck own -> receive(route, peer, Caller.NOBODY);
            case Guard.Needs needs -> {
                Optional<String> token = Bearer.of(raw);
                Optional<Decision> known = front.gate.admitAtOnce(needs.door(), token, peer);
                if (known.isPresent()) {
                    decided(route, peer, known.get());
                } else {
                    // Redis has to be asked, which this thread must not wait for.
                    exchange.asking(true);
                    raw.pause();
                    Thread.startVirtualThread(() -> ask(route, peer, token, needs));
                }
            }
        }
    }

    private void ask(Route route, InetAddress peer, Optional<String> token, Guard.Needs needs) {
        try {
            Decision decision = front.gate.admit(needs.door(), token, peer);
            exchange.onLoop(() -> asked(() -> decided(route, peer, decision)));
        } catch (Throwable e) {
            exchange.onLoop(() -> asked(() -> exchange.fail(e)));
        }
    }

    private void asked(Runnable next) {
        if (exchange.isAsking()) {
            exchange.asking(false);
            next.run();
            raw.resume();
        }
    }

    private void decided(Route route, InetAddress peer, Decision decision) {
        if (decision instanceof Decision.Admitted(Caller caller)) {
            receive(route, peer, caller);
        } else {
            exchange.fail(Problem.of(decision));
        }
    }

    private void receive(Route route, InetAddress peer, Caller caller) {
        if (!exchange.isArriving()) {
            return;
        }
        // Not counted before its body is there, or slow senders would take every place.
        if (!route.stays() && front.inFlight.get() >= front.settings.maxInFlight()) {
            exchange.fail(Problem.retryable(Code.OVERLOADED));
            return;
        }
        if (HttpHeaders.CONTINUE.toString().equalsIgnoreCase(raw.getHeader(HttpHeaders.EXPECT))) {
            response.writeContinue();
        }
        Body body = new Body(limit(route));
        if (route.handler() instanceof Handler.Talking
                || route.handler() instanceof Handler.Receiving) {
            // What follows the head is the library's, or the handler's, who want all of it.
            exchange.begin(route, peer, caller, body);
            return;
        }
        raw.handler(
                chunk -> {
                    if (exchange.isArriving() && !body.add(chunk)) {
                        exchange.fail(Gzip.tooLarge(limit(route)));
                    } else if (exchange.isArriving() && !exchange.affords(body)) {
                        exchange.fail(
                                Problem.retryable(Code.OVERLOADED, NO_ROOM, Duration.ofSeconds(1)));
                    }
                });
        raw.endHandler(
                ended -> {
                    if (exchange.isArriving()) {
                        exchange.begin(route, peer, caller, body);
                    }
                });
    }

    private long limit(Route route) {
        return route.maxBody() > 0 ? route.maxBody() : front.settings.maxBody().count();
    }

    private long declaredLength() {
        String length = raw.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
