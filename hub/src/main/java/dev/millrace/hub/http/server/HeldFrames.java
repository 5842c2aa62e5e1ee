package dev.millrace.hub.http.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Keeps what follows a request for a WebSocket until the socket is there. A client need not wait
 * for the answer to its handshake: its first frames, a frame that is none, or its end may arrive
 * together with the request. The library reads them while the old handler is still in place, which
 * drops frames and takes a failure for its own, so that the socket would never hear of its end.
 *
 * <p>On the event loop.
 */
final class HeldFrames extends ChannelInboundHandlerAdapter {
    private final Queue<Runnable> held = new ArrayDeque<>();
    private final Queue<Object> frames = new ArrayDeque<>();
    private boolean released;

    /** Puts one in front of the handler of a connection. */
    static HeldFrames before(ChannelHandlerContext handler) {
        HeldFrames held = new HeldFrames();
        handler.pipeline().addBefore(handler.name(), "held-frames", held);
        return held;
    }

    /** The socket is there, or will not be: everything goes on, in its order. */
    void release(ChannelHandlerContext handler) {
        if (released) {
            return;
        }
        released = true;
        while (!held.isEmpty()) {
            held.remove().run();
        }
        if (handler.pipeline().context(this) != null) {
            handler.pipeline().remove(this);
        }
    }

    private void hold(Runnable event) {
        if (released && held.isEmpty()) {
            event.run();
        } else {
            held.add(event);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpObject) {
            // The end of the request itself.
            context.fireChannelRead(message);
        } else {
            frames.add(message);
            hold(
                    () -> {
                        context.fireChannelRead(frames.remove());
                        // Answers are sent at the end of a read, and that has passed by already.
                        context.fireChannelReadComplete();
                    });
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        hold(() -> context.fireExceptionCaught(failure));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        hold(context::fireChannelInactive);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        while (!frames.isEmpty()) {
            ReferenceCountUtil.release(frames.remove());
        }
    }
}
