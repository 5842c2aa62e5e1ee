package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;

import java.util.List;

/** Where an answer of the application goes. On one event loop. */
interface Sink {
    /** Sends the body of the client's request, if it has one, and ends it. */
    void send(HttpClientRequest to);

    /** Whether somebody still takes what comes. */
    boolean open();

    /** The head of an answer that comes piece by piece. */
    void begin(int status, List<Header> headers);

    /** A piece of it; false if no more should come before {@code drained} is run. */
    boolean write(Buffer piece, Runnable drained);

    void end();

    /** The rest of what was begun does not come. */
    void broken();

    /** Nothing was begun; this happens instead. */
    void instead(Turn turn);

    /** For requests that nobody waits for. */
    Sink NOBODY =
            new Sink() {
                @Override
                public void send(HttpClientRequest to) {
                    var _ = to.end();
                }

                @Override
                public boolean open() {
                    return false;
                }

                @Override
                public void begin(int status, List<Header> headers) {}

                @Override
                public boolean write(Buffer piece, Runnable drained) {
                    return true;
                }

                @Override
                public void end() {}

                @Override
                public void broken() {}

                @Override
                public void instead(Turn turn) {}
            };
}
