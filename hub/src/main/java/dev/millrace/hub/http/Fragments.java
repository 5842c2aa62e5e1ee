package dev.millrace.hub.http;

import io.vertx.core.http.WebSocketFrame;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Puts the frames of a WebSocket together to texts. The library's own way fails when the first of
 * several frames is empty. On the event loop of the connection.
 */
final class Fragments {
    private final int largest;
    private final Consumer<String> whole;
    private final Runnable tooLarge;
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
    private boolean open;

    Fragments(int largest, Consumer<String> whole, Runnable tooLarge) {
        this.largest = largest;
        this.whole = whole;
        this.tooLarge = tooLarge;
    }

    void add(WebSocketFrame frame) {
        if (frame.isText()) {
            parts.reset();
            open = true;
        } else if (!frame.isContinuation() || !open) {
            return;
        }
        byte[] more = frame.binaryData().getBytes();
        if (parts.size() + more.length > largest) {
            open = false;
            parts.reset();
            tooLarge.run();
            return;
        }
        parts.writeBytes(more);
        if (frame.isFinal()) {
            open = false;
            String text = parts.toString(StandardCharsets.UTF_8);
            parts.reset();
            whole.accept(text);
        }
    }
}
