package dev.millrace.hub.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
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

    /** Of what a client says at once, in one frame or in several. */
    public static final int LARGEST_MESSAGE = 64 << 10;

    /** Of what a client says in one frame, for those who want to hear more at once. */
    public static final int LARGEST_FRAME = 1 << 20;

    /** What fits into the frame that closes, beside the code. */
    private static final int LONGEST_REASON = 123;

    /** More than this in the queue of a client that does not read is {@link #full}. */
    private static final int QUEUE_BYTES = 32 << 10;

    private final ServerWebSocket socket;
    private final Executor loop;
    private final Lifetime lifetime =
            new Lifetime(() -> close(Why.STOPPING, "The hub is stopping."));

    public Talk(ServerWebSocket socket, Executor loop) {
        this.socket = socket;
        this.loop = loop;
        // What is said before somebody listens must wait, and not be lost.
        socket.pause();
        unlessOver(() -> socket.setWriteQueueMaxSize(QUEUE_BYTES));
    }

    /**
     * The library throws where a socket is closed. The client decides when that is, so it is no
     * mistake of whoever asks; the end is told in its own way.
     */
    private void unlessOver(Runnable step) {
        try {
            step.run();
        } catch (IllegalStateException e) {
            if (!isOver()) {
                throw e;
            }
        }
    }

    /** As {@link Stream#loop}. */
    public Executor loop() {
        return loop;
    }

    /** Asks whether the other side is still there; it answers by itself. */
    public void ping() {
        socket.writePing(Buffer.buffer());
    }

    public void say(String text) {
        socket.writeTextMessage(text);
    }

    public void say(byte[] bytes) {
        socket.writeBinaryMessage(Buffer.buffer(bytes));
    }

    /** Whether what was said waits for the client; not if there is none any more. */
    public boolean full() {
        boolean[] full = {false};
        unlessOver(() -> full[0] = socket.writeQueueFull());
        return full[0];
    }

    /** Called once, as soon as the client has taken enough; ask {@link #full} first. */
    public void whenDrained(Runnable action) {
        unlessOver(() -> socket.drainHandler(done -> action.run()));
    }

    public void whenHeard(Consumer<String> action) {
        whenHeard(
                LARGEST_MESSAGE,
                action,
                () -> close(Why.NOT_UNDERSTOOD, "This message is too large."));
    }

    /**
     * The same with another limit.
     *
     * @param largest in bytes, at most {@link #LARGEST_FRAME}
     * @param tooLarge what happens if a message is larger
     */
    public void whenHeard(int largest, Consumer<String> action, Runnable tooLarge) {
        Fragments fragments = new Fragments(largest, action, tooLarge);
        unlessOver(() -> socket.frameHandler(fragments::add));
        socket.resume();
    }

    /** The other side has answered a {@link #ping}. */
    public void whenPonged(Runnable action) {
        unlessOver(() -> socket.pongHandler(answer -> action.run()));
    }

    /** As it comes, frame by frame, whatever messages they belong to. */
    public void whenHeardBytes(Consumer<byte[]> action) {
        unlessOver(() -> socket.handler(buffer -> action.accept(buffer.getBytes())));
        socket.resume();
    }

    /** Reads nothing more for a while. */
    public void pause() {
        socket.pause();
    }

    public void resume() {
        if (!lifetime.isOver()) {
            socket.resume();
        }
    }

    /** As {@link Stream#whileThere}. */
    public void whileThere(Runnable begin, Runnable end) {
        lifetime.use(begin, end);
    }

    /**
     * Called when the hub stops, at once if it does already; without it the talk is closed then.
     */
    public void whenStopping(Runnable action) {
        lifetime.whenStopping(action);
    }

    public void close(Why why, String sentence) {
        close(why.code, sentence);
    }

    /** The same with a code of a protocol of our clients: 4000 to 4999, say. */
    public void close(int code, String sentence) {
        String reason = sentence;
        while (reason.getBytes(StandardCharsets.UTF_8).length > LONGEST_REASON) {
            reason = reason.substring(0, reason.length() - 1);
        }
        socket.close((short) code, reason);
        // The answer to it is read, or a client that went on talking could never be closed.
        socket.resume();
    }

    /** Whether there is nobody any more to talk with. */
    public boolean isOver() {
        return lifetime.isOver() || socket.isClosed();
    }

    public void closed() {
        lifetime.over();
    }

    public void stop() {
        lifetime.stop();
    }
}
