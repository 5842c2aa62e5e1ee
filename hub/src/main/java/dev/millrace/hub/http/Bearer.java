package dev.millrace.hub.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

import java.util.Optional;

/** The token of a request: {@code Authorization: Bearer …}. */
public final class Bearer {
    private static final String SCHEME = "Bearer ";

    private Bearer() {}

    public static Optional<String> of(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).strip())
                : Optional.empty();
    }
}
