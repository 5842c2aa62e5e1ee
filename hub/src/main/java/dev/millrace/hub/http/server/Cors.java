package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.CorsRule;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Method;
import dev.millrace.hub.http.RequestId;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What pages of other sites may do. Without {@code http.cors.origins} nothing: they cannot read an
 * answer, and what would change something is refused. That refusal is our own: a browser sends some
 * requests to us without asking first, and on a loopback address, or from a network that is let in
 * without a token, every page that a person opens would otherwise write with that person's rights.
 */
final class Cors {
    /** Looked for in every request, so its hash is known beforehand. */
    private static final CharSequence ORIGIN = HttpHeaders.ORIGIN;

    private static final Duration MAX_AGE = Duration.ofMinutes(10);

    private final Set<String> origins;
    private final CorsRule rule;

    Cors(List<String> origins) {
        this(new CorsRule(origins, List.of(), MAX_AGE, false));
    }

    Cors(CorsRule rule) {
        this.rule = rule;
        this.origins = Set.copyOf(rule.origins());
    }

    private boolean allows(String origin) {
        return origins.contains(origin) || origins.contains("*");
    }

    /** Whether a page of another site wants to change something without being allowed to. */
    boolean foreign(HttpServerRequest request, @Nullable Method method) {
        String origin = request.getHeader(ORIGIN);
        return origin != null
                && (method == null || !method.safe() || request.getHeader("Upgrade") != null)
                && !allows(origin)
                && !same(origin, Hosts.asked(request));
    }

    private static boolean same(String origin, @Nullable String host) {
        if (host == null) {
            return false;
        }
        try {
            URI uri = URI.create(origin);
            return uri.getHost() != null
                    && uri.getAuthority().equals(host.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The answer to a browser that asks first, by OPTIONS; empty if this one does not. */
    Optional<Answer> preflight(HttpServerRequest request) {
        String origin = request.getHeader(ORIGIN);
        String wanted = request.getHeader("Access-Control-Request-Method");
        if (origin == null || wanted == null || !allows(origin)) {
            return Optional.empty();
        }
        Answer answer =
                Answer.empty(204)
                        .with("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
                        .with("Access-Control-Max-Age", Long.toString(rule.maxAge().toSeconds()));
        String headers =
                rule.headers().isEmpty()
                        ? request.getHeader("Access-Control-Request-Headers")
                        : String.join(", ", rule.headers());
        return Optional.of(
                headers == null ? answer : answer.with("Access-Control-Allow-Headers", headers));
    }

    /** What an answer to an allowed page says. */
    List<Header> headers(HttpServerRequest request) {
        if (origins.isEmpty()) {
            return List.of();
        }
        String origin = request.getHeader(ORIGIN);
        List<Header> headers = new ArrayList<>();
        // Also where nothing is allowed: a cache must not give this answer to an allowed page.
        headers.add(new Header("Vary", "Origin"));
        if (origin == null || !allows(origin)) {
            return headers;
        }
        headers.add(new Header("Access-Control-Allow-Origin", origin));
        headers.add(
                new Header(
                        "Access-Control-Expose-Headers",
                        "Location, Retry-After, " + RequestId.HEADER));
        if (rule.credentials()) {
            headers.add(new Header("Access-Control-Allow-Credentials", "true"));
        }
        return headers;
    }
}
