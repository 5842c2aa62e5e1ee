package dev.millrace.hub.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Puts answers on the wire. */
final class Replies {
    /** What our own pages need, and nothing else. */
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    private Replies() {}

    /** Headers that belong to the path, not to the answer. */
    static void decorate(HttpServerResponse response, Owner owner, String id) {
        if (owner.echoesIds()) {
            response.putHeader(RequestId.HEADER, id);
        }
        if (owner.ours()) {
            response.putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("X-Frame-Options", "DENY")
                    .putHeader("Referrer-Policy", "no-referrer")
                    .putHeader("Content-Security-Policy", POLICY)
                    .putHeader("Cache-Control", "no-store");
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
