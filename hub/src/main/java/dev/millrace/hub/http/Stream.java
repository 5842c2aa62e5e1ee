package dev.millrace.hub.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

import java.util.List;

/**
 * An answer without end. It is written from any thread, piece by piece, and never waits: {@link
 * #full} says that the client does not keep up, and its writer decides what to leave out.
 */
public final class Stream {
    private final HttpServerResponse response;
    private final Runnable done;
    private volatile Runnable closed = () -> {};
    private volatile Runnable stopping = () -> {};

    Stream(HttpServerResponse response, Runnable done) {
        this.response = response;
        this.done = done;
    }

    /** Sends status and headers. */
    public void begin(String contentType, List<Header> headers) {
        response.setStatusCode(200).setChunked(true).putHeader("Content-Type", contentType);
        headers.forEach(header -> response.putHeader(header.name(), header.value()));
        response.writeHead();
    }

    /** Sends some bytes, which must not be changed afterwards. */
    public void write(byte[] bytes) {
        response.write(Buffer.buffer(bytes));
    }

    /** Whether what was written waits for the client. */
    public boolean full() {
        return response.writeQueueFull();
    }

    /** Called once, as soon as the client has taken enough; ask {@link #full} first. */
    public void whenDrained(Runnable action) {
        response.drainHandler(done -> action.run());
    }

    /** Called when the client has gone, or the end was written. */
    public void whenClosed(Runnable action) {
        closed = action;
    }

    /** Called when the hub stops: say good-bye, and {@link #end}. */
    public void whenStopping(Runnable action) {
        stopping = action;
    }

    public void end() {
        response.end();
        done.run();
    }

    /** Breaks the connection, for a client that must not take this for an end. */
    public void cut() {
        response.reset();
        done.run();
    }

    void close() {
        closed.run();
    }

    void stop() {
        stopping.run();
    }
}
