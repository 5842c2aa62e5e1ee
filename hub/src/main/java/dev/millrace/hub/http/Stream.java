package dev.millrace.hub.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * An answer without end. It is written from any thread, piece by piece, and never waits: {@link
 * #full} says that the client does not keep up, and its writer decides what to leave out.
 */
public final class Stream {
    /** More than this in the queue of a client that does not read is {@link #full}. */
    private static final int QUEUE_BYTES = 32 << 10;

    private final HttpServerResponse response;
    private final Executor loop;
    private final Runnable done;
    private volatile boolean gone;
    private volatile Runnable closed = () -> {};
    private volatile Runnable stopping = () -> {};

    Stream(HttpServerResponse response, Executor loop, Runnable done) {
        this.response = response;
        this.loop = loop;
        this.done = done;
    }

    /**
     * The event loop of the connection, the same object for all connections of one loop. What runs
     * there must not block; it writes cheapest, and sees closing and draining in order.
     */
    public Executor loop() {
        return loop;
    }

    /** Sends status and headers. */
    public void begin(String contentType, List<Header> headers) {
        response.setWriteQueueMaxSize(QUEUE_BYTES);
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

    /** Called when the client has gone, or the end was written; at once if that was before. */
    public void whenClosed(Runnable action) {
        closed = action;
        if (gone) {
            action.run();
        }
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
        gone = true;
        closed.run();
    }

    void stop() {
        stopping.run();
    }
}
