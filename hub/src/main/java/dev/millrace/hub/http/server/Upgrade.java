package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Talk;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.impl.HttpServerConnection;

import java.util.function.Consumer;

/**
 * Makes a WebSocket of a request. The client may leave, or send what cannot be read, at every step
 * of it, so the talk is complete, and its end would be noticed, before anything that followed the
 * request is looked at. On the event loop.
 */
final class Upgrade {
    private Upgrade() {}

    /** What can become of it. */
    interface Outcome {
        void refused(Problem why);

        /** The library has refused it by itself, and answered. */
        void answered();

        void open(Talk talk);

        /** It is closed; may be told more than once, and when it was just opened. */
        void closed();
    }

    static void begin(HttpServerRequest raw, Loop loop, Outcome outcome) {
        if (!"websocket".equalsIgnoreCase(raw.getHeader(HttpHeaders.UPGRADE))
                || !(raw.connection() instanceof HttpServerConnection connection)) {
            outcome.refused(bad("This path is for WebSockets; ask for an upgrade."));
            return;
        }
        if (raw.getHeader("Sec-WebSocket-Version") == null) {
            // The library would take it for a draft of long ago.
            outcome.refused(bad("A request for a WebSocket says its version: 13."));
            return;
        }
        String length = raw.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (raw.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                || (length != null && !length.equals("0"))) {
            // The library would wait for it, for as long as the client likes.
            outcome.refused(bad("A request for a WebSocket has no body."));
            return;
        }
        ChannelHandlerContext handler = connection.channelHandlerContext();
        HeldFrames held = HeldFrames.before(handler);
        Consumer<ServerWebSocket> open =
                socket -> {
                    open(socket, loop, outcome);
                    held.release(handler);
                    if (!handler.channel().isActive()) {
                        outcome.closed();
                    }
                };
        raw.toWebSocket()
                .onSuccess(open::accept)
                .onFailure(
                        why -> {
                            held.release(handler);
                            if (raw.response().ended()) {
                                outcome.answered();
                            } else {
                                outcome.refused(bad("This is not a WebSocket handshake."));
                            }
                        });
    }

    private static void open(ServerWebSocket socket, Loop loop, Outcome outcome) {
        Talk talk = new Talk(socket, loop);
        try {
            socket.closeHandler(closed -> outcome.closed());
        } catch (IllegalStateException e) {
            // It is closed already.
            outcome.closed();
            return;
        }
        outcome.open(talk);
    }

    private static Problem bad(String sentence) {
        return Problem.of(Code.BAD_REQUEST, sentence);
    }
}
