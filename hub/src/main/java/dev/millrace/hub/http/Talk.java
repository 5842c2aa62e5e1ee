package dev.millrace.hub.http;

import io.vertx.core.http.ServerWebSocket;

import java.util.function.Consumer;

/** A WebSocket. Written from any thread; what is heard arrives in order and must not block. */
public final class Talk {
    /** Codes of RFC 6455. */
    public enum Why {
        DONE(1000),
        STOPPING(1001),
        NOT_UNDERSTOOD(1008),
        TRY_LATER(1013);

        private final short code;

        Why(int code) {
            this.code = (short) code;
        }
    }

    private final ServerWebSocket socket;
    private volatile Runnable closed = () -> {};
    private volatile Runnable stopping = () -> close(Why.STOPPING, "The hub is stopping.");

    Talk(ServerWebSocket socket) {
        this.socket = socket;
    }

    public void say(String text) {
        socket.writeTextMessage(text);
    }

    /** Whether what was said waits for the client. */
    public boolean full() {
        return socket.writeQueueFull();
    }

    /** Called once, as soon as the client has taken enough; ask {@link #full} first. */
    public void whenDrained(Runnable action) {
        socket.drainHandler(done -> action.run());
    }

    public void whenHeard(Consumer<String> action) {
        socket.textMessageHandler(action::accept);
    }

    public void whenClosed(Runnable action) {
        closed = action;
    }

    /** Called when the hub stops; without it the talk is closed then. */
    public void whenStopping(Runnable action) {
        stopping = action;
    }

    public void close(Why why, String sentence) {
        socket.close(why.code, sentence);
    }

    void closed() {
        closed.run();
    }

    void stop() {
        stopping.run();
    }
}
