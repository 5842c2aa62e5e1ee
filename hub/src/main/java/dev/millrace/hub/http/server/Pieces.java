package dev.millrace.hub.http.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * A large answer on its way. It is handed over piece by piece, each when the client has taken those
 * before: what waits in the server's own buffers stays small, and it can be seen whether a client
 * takes anything at all. On the event loop only.
 */
final class Pieces {
    /** Up to here an answer is one piece. */
    static final int PIECE = 64 << 10;

    private final HttpServerResponse response;
    private final byte[] bytes;
    private final Runnable done;
    private int sent;
    private long moved = System.nanoTime();

    Pieces(HttpServerResponse response, byte[] bytes, Runnable done) {
        this.response = response;
        this.bytes = bytes;
        this.done = done;
    }

    void send() {
        moved = System.nanoTime();
        while (!response.closed()) {
            int length = Math.min(PIECE, bytes.length - sent);
            Buffer piece = Buffer.buffer(length).appendBytes(bytes, sent, length);
            sent += length;
            if (sent == bytes.length) {
                response.drainHandler(null);
                response.end(piece).onComplete(ended -> done.run());
                return;
            }
            response.write(piece);
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> send());
                return;
            }
        }
    }

    /** When the client last took something. */
    long moved() {
        return moved;
    }

    int size() {
        return bytes.length;
    }
}
