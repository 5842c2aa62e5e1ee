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
    private final Lifetime lifetime = new Lifetime(() -> {});

    public Stream(HttpServerResponse response, Executor loop, Runnable done) {
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

    /**
     * The library throws where a response has ended. The client decides when that is, so it is no
     * mistake of whoever writes; the end is told in its own way.
     */
    private void unlessOver(Runnable step) {
        try {
            step.run();
        } catch (IllegalStateException e) {
            if (!lifetime.isOver() && !response.closed() && !response.ended()) {
                throw e;
            }
        }
    }

    /** Sends status and headers. */
    public void begin(String contentType, List<Header> headers) {
        unlessOver(() -> head(contentType, headers));
    }

    private void head(String contentType, List<Header> headers) {
        response.setWriteQueueMaxSize(QUEUE_BYTES);
        response.setStatusCode(200).setChunked(true).putHeader("Content-Type", contentType);
        headers.forEach(header -> response.putHeader(header.name(), header.value()));
        response.writeHead();
    }

    /** Sends some bytes, which must not be changed afterwards. */
    public void write(byte[] bytes) {
        unlessOver(() -> response.write(Buffer.buffer(bytes)));
    }

    /** Whether what was written waits for the client; not if there is none any more. */
    public boolean full() {
        boolean[] full = {false};
        unlessOver(() -> full[0] = response.writeQueueFull());
        return full[0];
    }

    /** Called once, as soon as the client has taken enough; ask {@link #full} first. */
    public void whenDrained(Runnable action) {
        unlessOver(() -> response.drainHandler(done -> action.run()));
    }

    /**
     * Begins something that needs the client, unless the client has gone, and ends it once: when
     * the client has gone or the end was written, however soon that is. The end comes after the
     * beginning, never during it; without a beginning if it was too late for that. So whatever was
     * taken hold of before or in the beginning is let go in the end.
     */
    public void whileThere(Runnable begin, Runnable end) {
        lifetime.use(begin, end);
    }

    /** Called when the hub stops, at once if it does already: say good-bye, and {@link #end}. */
    public void whenStopping(Runnable action) {
        lifetime.whenStopping(action);
    }

    public void end() {
        unlessOver(response::end);
        done.run();
    }

    /** Breaks the connection, for a client that must not take this for an end. */
    public void cut() {
        unlessOver(response::reset);
        done.run();
    }

    public void close() {
        lifetime.over();
    }

    public void stop() {
        lifetime.stop();
    }
}
