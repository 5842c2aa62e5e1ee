package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Header;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

import java.util.List;

/**
 * Headers that many answers have. Made once, and never changed: an answer takes them over whole,
 * without looking at each letter of them again.
 */
final class FixedHeaders {
    private final MultiMap headers;

    private FixedHeaders(MultiMap headers) {
        this.headers = headers;
    }

    static FixedHeaders of(List<Header> headers) {
        MultiMap map = HttpHeaders.headers();
        headers.forEach(each -> map.set(fixed(each.name()), fixed(each.value())));
        return new FixedHeaders(map.copy(false));
    }

    private static CharSequence fixed(String text) {
        return HttpHeaders.createOptimized(text);
    }

    void putOn(HttpServerResponse response) {
        if (!headers.isEmpty()) {
            response.headers().setAll(headers);
        }
    }
}
