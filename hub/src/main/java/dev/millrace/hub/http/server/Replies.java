package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.FixedHeaders;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.RequestId;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

import java.util.List;

/** Puts answers on the wire. */
final class Replies {
    /** What our own pages need, and nothing else. */
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    private static final FixedHeaders OURS =
            FixedHeaders.of(
                    List.of(
                            new Header("X-Content-Type-Options", "nosniff"),
                            new Header("X-Frame-Options", "DENY"),
                            new Header("Referrer-Policy", "no-referrer"),
                            new Header("Content-Security-Policy", POLICY),
                            new Header("Cache-Control", "no-store")));

    private Replies() {}

    /**
     * Before all others: headers that belong to the path, not to the answer.
     *
     * @param routed whether a route was found
     */
    static void decorate(HttpServerResponse response, Owner owner, String id, boolean routed) {
        if (owner.ours()) {
            OURS.putOn(response);
        }
        if (routed) {
            owner.headers().putOn(response);
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
