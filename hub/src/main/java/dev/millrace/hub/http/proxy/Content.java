package dev.millrace.hub.http.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Header;

import io.netty.buffer.Unpooled;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

import java.util.ArrayList;
import java.util.List;

/**
 * An answer that is there, whole. Its headers are made once, and its body is not copied however
 * many clients are taking it. Immutable.
 */
public final class Content {
    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final MultiMap prepared;

    /** With the length of its body; the array is not copied. */
    public Content(int status, List<Header> headers, byte[] body) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        MultiMap map = HttpHeaders.headers();
        for (Header each : headers) {
            map.add(
                    HttpHeaders.createOptimized(each.name()),
                    HttpHeaders.createOptimized(each.value()));
        }
        if (hasBody()) {
            map.set(
                    HttpHeaders.CONTENT_LENGTH,
                    HttpHeaders.createOptimized(Integer.toString(body.length)));
        }
        this.prepared = map.copy(false);
    }

    /** A sentence for a person. */
    public static Content sentence(int status, String sentence, Header... more) {
        List<Header> headers = new ArrayList<>(List.of(more));
        headers.add(new Header("Content-Type", "text/plain; charset=utf-8"));
        headers.add(new Header("Cache-Control", "no-store"));
        headers.add(new Header("X-Content-Type-Options", "nosniff"));
        return new Content(status, headers, (sentence + "\n").getBytes(UTF_8));
    }

    public int status() {
        return status;
    }

    public List<Header> headers() {
        return headers;
    }

    /** Not to be changed. */
    public byte[] body() {
        return body;
    }

    private boolean hasBody() {
        return status != 304 && status != 204 && status >= 200;
    }

    /** On the event loop of the response. */
    void write(
            HttpServerResponse response,
            List<Header> more,
            Header via,
            boolean last,
            boolean head) {
        response.setStatusCode(status);
        // This replaces all there are, so it comes first.
        response.headers().setAll(prepared);
        for (Header each : more) {
            response.headers().add(each.name(), each.value());
        }
        response.headers().add(via.name(), via.value());
        if (last) {
            response.headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (head || !hasBody()) {
            var _ = response.end();
        } else {
            var _ = response.end(buffer());
        }
    }

    private Buffer buffer() {
        return BufferInternal.buffer(Unpooled.wrappedBuffer(body));
    }
}
