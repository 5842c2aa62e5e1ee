package dev.millrace.hub.http;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Puts answers on the wire. */
final class Replies {
    /** What our own pages need, and nothing else. */
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    /**
     * Made once, and never changed: an answer takes them over whole, without looking at each letter
     * of them again.
     */
    private static final MultiMap OURS =
            HttpHeaders.headers()
                    .set(fixed("X-Content-Type-Options"), fixed("nosniff"))
                    .set(fixed("X-Frame-Options"), fixed("DENY"))
                    .set(fixed("Referrer-Policy"), fixed("no-referrer"))
                    .set(fixed("Content-Security-Policy"), fixed(POLICY))
                    .set(HttpHeaders.CACHE_CONTROL, fixed("no-store"))
                    .copy(false);

    private Replies() {}

    private static CharSequence fixed(String text) {
        return HttpHeaders.createOptimized(text);
    }

    /** Before all others: headers that belong to the path, not to the answer. */
    static void decorate(HttpServerResponse response, Owner owner, String id) {
        if (owner.ours()) {
            response.headers().setAll(OURS);
        }
        if (owner.echoesIds()) {
            response.putHeader(RequestId.HEADER, id);
        }
    }

    /** Status and headers; a header that the answer names counts more than one put before. */
    static void head(HttpServerResponse response, Answer answer) {
        response.setStatusCode(answer.status());
        for (Header header : answer.headers()) {
            if (header.name().equals("Vary")) {
                response.headers().add(header.name(), header.value());
            } else {
                response.putHeader(header.name(), header.value());
            }
        }
    }

    static void send(HttpServerResponse response, Answer answer, boolean headOnly) {
        head(response, answer);
        if (answer.body() instanceof Answer.Body.Whole(byte[] bytes)) {
            if (headOnly) {
                response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length));
                response.end();
            } else {
                response.end(Buffer.buffer(bytes));
            }
        } else {
            response.end();
        }
    }
}
