package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;

import io.vertx.core.buffer.Buffer;

import org.jspecify.annotations.Nullable;

/** The body of a request while it arrives, up to a limit. */
final class Body {
    private static final byte[] EMPTY = {};

    private final long limit;
    private @Nullable Buffer bytes;
    private boolean ours;

    Body(long limit) {
        this.limit = limit;
    }

    /** Takes a piece; false if that makes it too large. */
    boolean add(Buffer chunk) {
        Buffer before = bytes;
        Buffer all;
        if (before == null) {
            // Most bodies are one piece, and that one is never copied here.
            all = chunk;
        } else if (ours) {
            all = before.appendBuffer(chunk);
        } else {
            all = Buffer.buffer(before.length() + chunk.length());
            all.appendBuffer(before).appendBuffer(chunk);
            ours = true;
        }
        bytes = all;
        return all.length() <= limit;
    }

    long length() {
        return bytes == null ? 0 : bytes.length();
    }

    /** All of it, unpacked. */
    byte[] plain(@Nullable String encoding) {
        byte[] whole = bytes == null ? EMPTY : bytes.getBytes();
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return whole;
        }
        if (encoding.equalsIgnoreCase("gzip")) {
            return Gzip.plain(whole, limit);
        }
        throw Problem.of(Code.WRONG_ENCODING);
    }
}
